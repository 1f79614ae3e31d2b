package dev.rowlog.engine.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.error.DirectoryInUseException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NioDiskTest extends DiskContract {
  private final NioDisk disk = new NioDisk();

  @TempDir
  private Path folder;

  @Override
  Disk disk() {
    return disk;
  }

  @Override
  Path folder() {
    return folder;
  }

  @Test
  void shouldStillHoldTheLockAgainstAnotherProcessWhenThisOneAskedTwice() throws Exception {
    // Given
    Path file = folder.resolve(".lock");
    DirectoryLock held = disk.lock(file);
    int whileHeld = lockInAnotherProcess(file);
    // When
    assertThatThrownBy(() -> disk.lock(file)).isInstanceOf(DirectoryInUseException.class);
    // Then
    assertThat(whileHeld).as("exit code of the other process").isEqualTo(LockTaker.REFUSED);
    assertThat(lockInAnotherProcess(file)).as("exit code after the second attempt").isEqualTo(LockTaker.REFUSED);
    held.close();
    assertThat(lockInAnotherProcess(file)).as("exit code after the release").isEqualTo(LockTaker.TAKEN);
  }

  private static int lockInAnotherProcess(Path file) throws Exception {
    Process process = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx32m", "-cp",
        System.getProperty("java.class.path"), LockTaker.class.getName(), file.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the other process ended").isTrue();
    return process.exitValue();
  }

  /** Takes a lock in a process of its own and says with its exit code whether it got it. */
  static final class LockTaker {
    static final int TAKEN = 10;
    static final int REFUSED = 11;

    private LockTaker() {}

    public static void main(String[] args) throws Exception {
      int result = TAKEN;
      try {
        new NioDisk().lock(Path.of(args[0])).close();
      } catch (DirectoryInUseException e) {
        result = REFUSED;
      }
      Runtime.getRuntime().exit(result);
    }
  }
}
