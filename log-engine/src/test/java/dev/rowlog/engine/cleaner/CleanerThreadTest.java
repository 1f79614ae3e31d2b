package dev.rowlog.engine.cleaner;

import static dev.rowlog.engine.cleaner.CleanerFixture.contents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.disk.HookedDisk;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CleanerThreadTest {
  private static final long BACKOFF_MS = 1;

  @TempDir
  private Path root;

  @Test
  void shouldCleanInTheBackgroundAndGoOnAfterAFailure() throws InterruptedException {
    // Given a disk that refuses once
    HookedDisk disk = new HookedDisk(new NioDisk());
    CleanerConfig config = new CleanerConfig(true, 1 << 20, 1 << 16, 0.9, Double.MAX_VALUE, BACKOFF_MS);
    CountDownLatch cleaned = new CountDownLatch(1);
    AtomicBoolean refuses = new AtomicBoolean(true);
    try (CleanerFixture fixture = new CleanerFixture(disk, root, config)) {
      PartitionLog log = fixture.create(CleanerFixture.CONFIG);
      fixture.write(log, "a=1", "a=2");
      log.roll();
      disk.listen((verb, file) -> {
        if (file.toString().endsWith(".log.cleaned") && refuses.getAndSet(false)) {
          throw new DiskFailureException(verb, file, new IOException("refused once"));
        }
        if (file.endsWith(OffsetCheckpoint.CLEANER_OFFSET)) {
          cleaned.countDown();
        }
      });

      // When
      fixture.cleaner().start();
      boolean inTime = false;
      for (int i = 0; i < 6_000 && !inTime; i++) {
        // The wall clock must move on before the log is tried again.
        fixture.advance(BACKOFF_MS);
        inTime = cleaned.await(10, TimeUnit.MILLISECONDS);
      }
      fixture.cleaner().close();

      // Then
      assertThat(inTime).isTrue();
      assertThat(contents(log)).isEqualTo("a=2@1 | ");
    }
  }
}
