package dev.rowlog.engine.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.error.DiskFailureException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulatedDiskTest extends DiskContract {
  private static final Path FOLDER = Path.of("/data/orders-0");

  private final SimulatedDisk disk = new SimulatedDisk();

  @Override
  Disk disk() {
    return disk;
  }

  @Override
  Path folder() {
    return FOLDER;
  }

  @BeforeEach
  void makeTheFolderDurable() {
    disk.createDirectories(FOLDER);
    disk.syncDirectory(Path.of("/data"));
    disk.syncDirectory(Path.of("/"));
  }

  private static Path file(String name) {
    return FOLDER.resolve(name);
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void writeDurably(String name, String text) {
    try (DiskFile file = disk.create(file(name))) {
      file.write(ascii(text), 0);
      file.sync();
    }
    disk.syncDirectory(FOLDER);
  }

  private void append(String name, String text) {
    try (DiskFile file = disk.openForWrite(file(name))) {
      file.write(ascii(text), file.size());
    }
  }

  private static String text(SimulatedDisk disk, String name) {
    return new String(disk.readAll(file(name)), StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepWhatWasSyncedWhateverThePolicy(RebootPolicy policy) {
    // Given
    writeDurably("a", "abc");
    writeDurably("b", "old");
    disk.rename(file("a"), file("b"));
    disk.syncDirectory(FOLDER);
    // When
    SimulatedDisk rebooted = disk.reboot(policy, 1);
    // Then
    assertThat(rebooted.list(FOLDER)).containsExactly("b");
    assertThat(text(rebooted, "b")).isEqualTo("abc");
  }

  @Test
  void shouldLoseOrKeepUnsyncedBytesAndNamesByPolicy() {
    // Given
    writeDurably("a", "abc");
    append("a", "def");
    disk.create(file("b")).close();
    // Then
    assertThat(text(disk.reboot(RebootPolicy.NOTHING, 0), "a")).isEqualTo("abc");
    assertThat(disk.reboot(RebootPolicy.NOTHING, 0).list(FOLDER)).containsExactly("a");
    assertThat(text(disk.reboot(RebootPolicy.EVERYTHING, 0), "a")).isEqualTo("abcdef");
    assertThat(disk.reboot(RebootPolicy.EVERYTHING, 0).list(FOLDER)).containsExactly("a", "b");
    assertThat(text(disk.reboot(RebootPolicy.ONLY_NAMES, 0), "a")).isEqualTo("abc");
    assertThat(disk.reboot(RebootPolicy.ONLY_NAMES, 0).list(FOLDER)).containsExactly("a", "b");
    assertThat(text(disk.reboot(RebootPolicy.ONLY_BYTES, 0), "a")).isEqualTo("abcdef");
    assertThat(disk.reboot(RebootPolicy.ONLY_BYTES, 0).list(FOLDER)).containsExactly("a");
  }

  @Test
  void shouldNotMakeANameDurableWhenOnlyTheFileWasSynced() {
    try (DiskFile file = disk.create(file("a"))) {
      file.write(ascii("abc"), 0);
      file.sync();
    }
    assertThat(disk.reboot(RebootPolicy.NOTHING, 0).list(FOLDER)).isEmpty();
  }

  @Test
  void shouldFindTheOldFileWhenADeletionOrReplacementWasNotSynced() {
    writeDurably("a", "old");
    disk.create(file("a")).close();
    assertThat(text(disk.reboot(RebootPolicy.NOTHING, 0), "a")).isEqualTo("old");
    disk.delete(file("a"));
    assertThat(text(disk.reboot(RebootPolicy.NOTHING, 0), "a")).isEqualTo("old");
    assertThat(disk.reboot(RebootPolicy.EVERYTHING, 0).exists(file("a"))).isFalse();
  }

  @Test
  void shouldTearTheLastWriteAtEveryByteWithPrefix() {
    // Given
    writeDurably("a", "");
    append("a", "abc");
    append("a", "def");
    // When
    Set<String> found = new TreeSet<>();
    for (long seed = 0; seed < 500; seed++) {
      found.add(text(disk.reboot(RebootPolicy.PREFIX, seed), "a"));
    }
    // Then
    assertThat(found).containsExactly("", "a", "ab", "abc", "abcd", "abcde", "abcdef");
  }

  @Test
  void shouldKeepWholeSectorsWithSubset() {
    // Given: three sectors, the first of them durable to its half
    writeDurably("a", "x".repeat(256));
    append("a", "y".repeat(256 + 512 + 100));
    // When
    Set<String> found = new TreeSet<>();
    for (long seed = 0; seed < 200; seed++) {
      byte[] bytes = disk.reboot(RebootPolicy.SUBSET, seed).readAll(file("a"));
      found.add(new String(bytes, StandardCharsets.US_ASCII).replace('\0', '0').replaceAll("(.)\\1*", "$1"));
    }
    // Then: 0 is a hole
    assertThat(found).containsExactlyInAnyOrder("x", "xy", "x0y", "xy0y");
  }

  @Test
  void shouldKeepTheOrderOfEachNameWithSubset() {
    // Given
    writeDurably("a.log", "old");
    disk.create(file("a.cleaned")).close();
    disk.rename(file("a.cleaned"), file("a.swap"));
    disk.rename(file("a.swap"), file("a.log"));
    disk.create(file("b")).close();
    // When
    Set<List<String>> found = new HashSet<>();
    for (long seed = 0; seed < 300; seed++) {
      found.add(disk.reboot(RebootPolicy.SUBSET, seed).list(FOLDER));
    }
    // Then
    assertThat(found).containsExactlyInAnyOrder(
        List.of("a.log"),
        List.of("a.log", "b"),
        List.of("a.cleaned", "a.log"),
        List.of("a.cleaned", "a.log", "b"),
        List.of("a.log", "a.swap"),
        List.of("a.log", "a.swap", "b"));
  }

  @Test
  void shouldLeaveTheDiskAsItIsWhenRebooted() {
    writeDurably("a", "abc");
    SimulatedDisk rebooted = disk.reboot(RebootPolicy.EVERYTHING, 0);
    rebooted.delete(file("a"));
    assertThat(text(disk, "a")).isEqualTo("abc");
    assertThat(disk.reboot(RebootPolicy.NOTHING, 0).fileKey(file("a"))).isEqualTo(disk.fileKey(file("a")));
  }

  @Test
  void shouldThrowAtEveryCallFromTheCrashOn() {
    // Given
    writeDurably("a", "abc");
    DiskFile file = disk.openForWrite(file("a"));
    disk.crashAt(2);
    file.write(ascii("x"), 0);
    // When
    assertThatThrownBy(() -> file.write(ascii("y"), 1)).isInstanceOf(CrashException.class)
        .hasMessageContaining("write at position 1 of /data/orders-0/a");
    // Then
    assertThatThrownBy(() -> file.read(ByteBuffer.allocate(1), 0)).isInstanceOf(CrashException.class);
    assertThatThrownBy(file::sync).isInstanceOf(CrashException.class);
    assertThatThrownBy(() -> disk.list(FOLDER)).isInstanceOf(CrashException.class);
    assertThatThrownBy(() -> disk.exists(FOLDER)).isInstanceOf(CrashException.class);
    assertThatThrownBy(() -> disk.lock(file(".lock"))).isInstanceOf(CrashException.class);
    file.close();
    assertThat(text(disk.reboot(RebootPolicy.EVERYTHING, 0), "a")).isEqualTo("xbc");
  }

  @Test
  void shouldGiveTheLockBackWhenRebooted() throws Exception {
    disk.lock(file(".lock"));
    disk.crash();
    disk.reboot(RebootPolicy.NOTHING, 0).lock(file(".lock")).close();
  }

  @Test
  void shouldLoseTheBytesForGoodWhenASyncFailed() {
    // Given
    writeDurably("a", "abc");
    try (DiskFile file = disk.openForWrite(file("a"))) {
      file.write(ascii("def"), 3);
      disk.failSync(1);
      // When
      assertThatThrownBy(file::sync).isInstanceOf(DiskFailureException.class)
          .hasMessageContaining("Input/output error");
      file.sync();
      // Then: the process still sees them, the platter never will
      assertThat(file.size()).isEqualTo(6);
    }
    assertThat(text(disk.reboot(RebootPolicy.EVERYTHING, 0), "a")).isEqualTo("abc");
  }

  @Test
  void shouldWriteHalfWhenAWriteFails() {
    writeDurably("a", "");
    disk.failWrite(2);
    append("a", "abcd");
    assertThatThrownBy(() -> append("a", "efgh")).isInstanceOf(DiskFailureException.class);
    append("a", "!");
    assertThat(text(disk, "a")).isEqualTo("abcdef!");
  }

  @Test
  void shouldStopShortWhenTheSpaceIsUsedUp() {
    // Given
    writeDurably("a", "abc");
    disk.limitSpace(2);
    // When
    assertThatThrownBy(() -> append("a", "defg")).isInstanceOf(DiskFailureException.class)
        .hasMessageContaining("No space left on device");
    // Then: overwriting needs no space
    assertThat(text(disk, "a")).isEqualTo("abcde");
    assertThat(disk.usableSpace(FOLDER)).isZero();
    try (DiskFile file = disk.openForWrite(file("a"))) {
      file.write(ascii("ABCDE"), 0);
    }
    assertThat(text(disk, "a")).isEqualTo("ABCDE");
  }

  @Test
  void shouldTransferLessThanAskedWhenLimited() {
    writeDurably("a", "abcdef");
    disk.limitTransfers(4);
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    try (DiskFile file = disk.openForRead(file("a"))) {
      assertThat(file.transferTo(1, 5, Channels.newChannel(target))).isEqualTo(4);
    }
  }

  @Test
  void shouldTellWhichFilesAreOpen() {
    DiskFile a = disk.create(file("a"));
    try (DiskFile b = disk.create(file("b"))) {
      assertThat(disk.openFiles()).containsExactly(a.path(), b.path());
    }
    assertThat(disk.openFiles()).containsExactly(file("a"));
  }

  /** A random life of one file against a plain model: after any crash the synced bytes are there. */
  @Test
  void shouldNeverLoseASyncedPrefixOfAnAppendOnlyFile() {
    Seeds.forEach(200, random -> {
      SimulatedDisk disk = new SimulatedDisk();
      disk.createDirectories(FOLDER);
      disk.syncDirectory(Path.of("/data"));
      disk.syncDirectory(Path.of("/"));
      byte[] synced = new byte[0];
      byte[] all = new byte[0];
      DiskFile file = disk.create(file("a"));
      disk.syncDirectory(FOLDER);
      disk.crashAt(1 + random.nextInt(40));
      try {
        while (true) {
          byte[] bytes = new byte[random.nextInt(1500)];
          random.nextBytes(bytes);
          file.write(ByteBuffer.wrap(bytes), all.length);
          int size = all.length;
          all = Arrays.copyOf(all, size + bytes.length);
          System.arraycopy(bytes, 0, all, size, bytes.length);
          if (random.nextInt(3) == 0) {
            file.sync();
            synced = all;
          }
        }
      } catch (CrashException e) {
        for (RebootPolicy policy : RebootPolicy.values()) {
          byte[] found = disk.reboot(policy, random.nextLong()).readAll(file("a"));
          assertThat(found.length).isBetween(synced.length, all.length);
          assertThat(Arrays.copyOf(found, synced.length)).isEqualTo(synced);
          if (policy != RebootPolicy.SUBSET) {
            assertThat(found).isEqualTo(Arrays.copyOf(all, found.length));
          }
        }
      }
    });
  }

  @Test
  void shouldCrashAtEveryChangeAndNameTheOneThatFails() {
    // Given: a careless program that renames before it syncs
    record Careless() implements CrashPoints.Run {
      @Override
      public void run(SimulatedDisk disk) {
        try (DiskFile file = disk.create(FOLDER.resolve("a.tmp"))) {
          file.write(ascii("new"), 0);
        }
        disk.rename(FOLDER.resolve("a.tmp"), FOLDER.resolve("a"));
        disk.syncDirectory(FOLDER);
      }

      @Override
      public void check(SimulatedDisk rebooted) {
        assertThat(text(rebooted, "a")).isIn("old", "new");
      }
    }
    writeDurably("a", "old");
    // Then
    assertThatThrownBy(() -> CrashPoints.forEach(disk, Careless::new)).isInstanceOf(AssertionError.class)
        .hasMessageContaining("after a crash at change 4, sync of /data/orders-0 and a reboot with ONLY_NAMES");
  }

  @Test
  void shouldPassEveryCrashWhenTheProgramIsCareful() {
    List<String> found = new ArrayList<>();
    class Careful implements CrashPoints.Run {
      @Override
      public void run(SimulatedDisk disk) {
        try (DiskFile file = disk.create(FOLDER.resolve("a.tmp"))) {
          file.write(ascii("new"), 0);
          file.sync();
        }
        disk.rename(FOLDER.resolve("a.tmp"), FOLDER.resolve("a"));
        disk.syncDirectory(FOLDER);
      }

      @Override
      public void check(SimulatedDisk rebooted) {
        found.add(text(rebooted, "a"));
        assertThat(text(rebooted, "a")).isIn("old", "new");
      }
    }
    writeDurably("a", "old");
    long changes = CrashPoints.forEach(disk, Careful::new);
    assertThat(changes).isEqualTo(5);
    assertThat(found).contains("old", "new");
  }
}
