package dev.rowlog.engine.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.error.DirectoryInUseException;
import dev.rowlog.engine.error.DiskFailureException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.NonWritableChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What every {@link Disk} does: the simulated one is worth something only as far as it behaves as the real one. */
abstract class DiskContract {
  /** Made once a test. */
  abstract Disk disk();

  /** An existing, empty folder. */
  abstract Path folder();

  private Path file(String name) {
    return folder().resolve(name);
  }

  private void write(String name, String text) {
    try (DiskFile file = disk().create(file(name))) {
      file.write(ascii(text), 0);
    }
  }

  private String text(String name) {
    return new String(disk().readAll(file(name)), StandardCharsets.US_ASCII);
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void shouldReadBackWhatWasWritten() {
    // Given
    ByteBuffer target = ByteBuffer.allocate(100);
    try (DiskFile file = disk().create(file("a"))) {
      // When
      file.write(ascii("hello"), 0);
      file.write(ascii("LO wo"), 3);
      file.sync();
      int count = file.read(target, 2);
      // Then
      assertThat(count).isEqualTo(6);
      assertThat(new String(target.array(), 0, count, StandardCharsets.US_ASCII)).isEqualTo("lLO wo");
      assertThat(file.size()).isEqualTo(8);
      assertThat(disk().size(file("a"))).isEqualTo(8);
      assertThat(text("a")).isEqualTo("helLO wo");
    }
  }

  @Test
  void shouldReadNothingBeyondTheEnd() {
    write("a", "abc");
    try (DiskFile file = disk().openForRead(file("a"))) {
      assertThat(file.read(ByteBuffer.allocate(10), 3)).isZero();
      assertThat(file.read(ByteBuffer.allocate(10), 99)).isZero();
    }
  }

  @Test
  void shouldFillTheGapWithZerosWhenWrittenBeyondTheEnd() {
    try (DiskFile file = disk().create(file("a"))) {
      file.write(ascii("x"), 3);
    }
    assertThat(disk().readAll(file("a"))).containsExactly(0, 0, 0, 'x');
  }

  @Test
  void shouldForgetTruncatedBytes() {
    write("a", "abcdef");
    try (DiskFile file = disk().openForWrite(file("a"))) {
      file.truncate(2);
      file.write(ascii("z"), 4);
    }
    assertThat(disk().readAll(file("a"))).containsExactly('a', 'b', 0, 0, 'z');
  }

  @Test
  void shouldRefuseToTruncateBeyondTheEnd() {
    write("a", "abc");
    try (DiskFile file = disk().openForWrite(file("a"))) {
      assertThatThrownBy(() -> file.truncate(4)).isInstanceOf(DiskFailureException.class)
          .hasMessageContaining("it has 3");
    }
  }

  @Test
  void shouldTransferWhatTheFileHas() {
    // Given
    write("a", "abcdef");
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    try (DiskFile file = disk().openForRead(file("a"))) {
      // When
      long count = file.transferTo(2, 100, Channels.newChannel(target));
      // Then
      assertThat(count).isEqualTo(4);
      assertThat(target.toString(StandardCharsets.US_ASCII)).isEqualTo("cdef");
    }
  }

  @Test
  void shouldListNamesInOrder() {
    write("b", "");
    write("a", "");
    disk().createDirectories(file("c/d"));
    assertThat(disk().list(folder())).containsExactly("a", "b", "c");
    assertThat(disk().isDirectory(file("c"))).isTrue();
    assertThat(disk().isDirectory(file("a"))).isFalse();
    assertThat(disk().exists(file("c/d"))).isTrue();
    assertThat(disk().exists(file("x/y"))).isFalse();
  }

  @Test
  void shouldReplaceTheTargetWhenRenamed() {
    // Given
    write("a", "new");
    write("b", "old");
    Object key = disk().fileKey(file("a"));
    // When
    disk().rename(file("a"), file("b"));
    disk().syncDirectory(folder());
    // Then
    assertThat(disk().list(folder())).containsExactly("b");
    assertThat(text("b")).isEqualTo("new");
    assertThat(disk().fileKey(file("b"))).isEqualTo(key);
  }

  @Test
  void shouldKeepTheBytesOfAnOpenFileWhenItIsDeletedOrReplaced() {
    // Given
    write("a", "old");
    Object key = disk().fileKey(file("a"));
    ByteBuffer target = ByteBuffer.allocate(3);
    try (DiskFile open = disk().openForRead(file("a"))) {
      // When
      write("a", "new");
      // Then
      open.read(target, 0);
      assertThat(target.array()).isEqualTo("old".getBytes(StandardCharsets.US_ASCII));
      assertThat(disk().fileKey(file("a"))).isNotEqualTo(key);
      disk().delete(file("a"));
      assertThat(open.size()).isEqualTo(3);
    }
  }

  @Test
  void shouldDeleteOnlyWhatExists() {
    write("a", "");
    assertThat(disk().deleteIfExists(file("a"))).isTrue();
    assertThat(disk().deleteIfExists(file("a"))).isFalse();
    assertThatThrownBy(() -> disk().delete(file("a"))).isInstanceOf(DiskFailureException.class);
  }

  @Test
  void shouldRefuseToDeleteAFolderWithEntries() {
    disk().createDirectories(file("c/d"));
    assertThatThrownBy(() -> disk().delete(file("c"))).isInstanceOf(DiskFailureException.class);
    disk().delete(file("c/d"));
    disk().delete(file("c"));
    assertThat(disk().list(folder())).isEmpty();
  }

  @Test
  void shouldKeepTheModificationTimeThatWasSet() {
    write("a", "");
    disk().setLastModified(file("a"), 1_700_000_000_123L);
    assertThat(disk().lastModified(file("a"))).isEqualTo(1_700_000_000_123L);
  }

  @Test
  void shouldNameVerbAndPathWhenTheFileIsMissing() {
    Path missing = file("missing.log");
    assertThatThrownBy(() -> disk().openForRead(missing)).isInstanceOf(DiskFailureException.class)
        .hasMessageContaining("open for reading of " + missing)
        .hasMessageContaining("NoSuchFileException")
        .satisfies(e -> assertThat(((DiskFailureException) e).file()).isEqualTo(missing));
    assertThatThrownBy(() -> disk().openForWrite(missing)).isInstanceOf(DiskFailureException.class);
    assertThatThrownBy(() -> disk().size(missing)).isInstanceOf(DiskFailureException.class);
    assertThatThrownBy(() -> disk().rename(missing, file("b"))).isInstanceOf(DiskFailureException.class);
    assertThatThrownBy(() -> disk().list(missing)).isInstanceOf(DiskFailureException.class);
    assertThatThrownBy(() -> disk().create(missing.resolve("below"))).isInstanceOf(DiskFailureException.class);
  }

  @Test
  void shouldNotWriteThroughAHandleForReading() {
    write("a", "abc");
    try (DiskFile file = disk().openForRead(file("a"))) {
      assertThatThrownBy(() -> file.write(ascii("x"), 0)).isInstanceOf(NonWritableChannelException.class);
    }
  }

  @Test
  void shouldRefuseAClosedHandle() {
    DiskFile file = disk().create(file("a"));
    file.close();
    file.close();
    assertThatThrownBy(() -> file.read(ByteBuffer.allocate(1), 0)).isInstanceOf(DiskFailureException.class);
    assertThatThrownBy(() -> file.write(ascii("x"), 0)).isInstanceOf(DiskFailureException.class);
    assertThatThrownBy(file::sync).isInstanceOf(DiskFailureException.class);
  }

  @Test
  void shouldHaveSpace() {
    assertThat(disk().usableSpace(folder())).isPositive();
  }

  @Test
  void shouldGiveTheLockToOneHolderAtATime() {
    // Given
    DirectoryLock held = disk().lock(file(".lock"));
    // When, twice: the first refusal must not give the lock away
    assertThatThrownBy(() -> disk().lock(file(".lock"))).isInstanceOf(DirectoryInUseException.class);
    assertThatThrownBy(() -> disk().lock(folder().resolve("../" + folder().getFileName() + "/.lock")))
        .isInstanceOf(DirectoryInUseException.class)
        .hasMessageContaining(folder().getFileName().toString());
    held.close();
    held.close();
    // Then
    disk().lock(file(".lock")).close();
    assertThat(disk().list(folder())).containsExactly(".lock");
  }
}
