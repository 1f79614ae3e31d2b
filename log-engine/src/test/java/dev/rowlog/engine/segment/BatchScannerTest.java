package dev.rowlog.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.record.RecordBatchLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchScannerTest {
  private static final Path FILE = Path.of("/00000000000000000000.log");

  private final DiskFile file = new SimulatedDisk().create(FILE);

  /** Appends one batch of one record; returns its position. */
  private long write(long offset, int valueBytes) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.add(5, new byte[]{1}, new byte[valueBytes], List.of());
    long position = file.size();
    file.write(encoder.finish(offset, 0), position);
    return position;
  }

  private void overwrite(long position, int value) {
    file.write(ByteBuffer.allocate(4).putInt(0, value), position);
  }

  private List<Long> offsets(BatchScanner scanner) {
    List<Long> offsets = new ArrayList<>();
    while (scanner.next()) {
      scanner.batch().ensureValid(FILE, scanner.position());
      offsets.add(scanner.batch().baseOffset());
    }
    return offsets;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 61, 100, 163, 1000, 1 << 20})
  void shouldWalkBatchesWhateverTheBufferSize(int bufferBytes) {
    // Given
    write(0, 10);
    write(1, 5_000);
    write(7, 0);
    write(8, 300);
    // When
    List<Long> offsets = offsets(new BatchScanner(file, 0, file.size(), bufferBytes));
    // Then
    assertThat(offsets).containsExactly(0L, 1L, 7L, 8L);
  }

  @Test
  void shouldWalkARangeAndSayWhereItIs() {
    // Given
    write(0, 10);
    long second = write(1, 10);
    long third = write(2, 10);
    // When
    BatchScanner scanner = new BatchScanner(file, second, third, 4096);
    // Then
    assertThat(scanner.next()).isTrue();
    assertThat(scanner.position()).isEqualTo(second);
    assertThat(scanner.nextPosition()).isEqualTo(third);
    assertThat(scanner.next()).isFalse();
    assertThat(scanner.next()).isFalse();
  }

  @Test
  void shouldLetAKeyBeReadInWordsBeyondTheEndOfTheBatch() {
    for (int valueBytes = 0; valueBytes < 300; valueBytes += 7) {
      write(valueBytes, valueBytes);
    }
    BatchScanner scanner = new BatchScanner(file, 0, file.size(), 128);
    while (scanner.next()) {
      RecordBatch batch = scanner.batch();
      assertThat(batch.buffer().capacity() - batch.end()).isGreaterThanOrEqualTo(64);
      assertThat(batch.buffer().isDirect()).isTrue();
    }
  }

  @Test
  void shouldShrinkItsBufferAtAReset() {
    // Given
    write(0, 100_000);
    BatchScanner scanner = new BatchScanner(file, 0, file.size(), 256);
    scanner.next();
    assertThat(scanner.batch().buffer().capacity()).isGreaterThan(100_000);
    long small = write(1, 1);
    // When
    scanner.reset(file, small, file.size());
    // Then
    assertThat(scanner.next()).isTrue();
    assertThat(scanner.batch().buffer().capacity()).isLessThan(1_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 48, Integer.MIN_VALUE, 0x7fffffff, 500})
  void shouldRefuseALengthThatCannotBe(int length) {
    // Given
    write(0, 10);
    long position = write(1, 10);
    overwrite(position + RecordBatchLayout.BATCH_LENGTH, length);
    BatchScanner scanner = new BatchScanner(file, 0, file.size(), 4096);
    assertThat(scanner.next()).isTrue();
    // When, then
    assertThatThrownBy(scanner::next)
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining(FILE + " at position " + position)
        .hasMessageContaining("batch size");
  }

  @Test
  void shouldAskForNoMemoryByALengthThatTheCrcDoesNotConfirm() {
    // Given: a length of half a gigabyte, which the range would allow.
    long position = write(0, 10);
    write(1, 300_000);
    overwrite(position + RecordBatchLayout.BATCH_LENGTH, 300_000);
    BatchScanner scanner = new BatchScanner(file, 0, file.size(), 4096);
    // When, then
    assertThatThrownBy(scanner::next).isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("CRC mismatch over 300012 bytes");
  }

  @Test
  void shouldRefuseARestTooShortForAHeader() {
    write(0, 10);
    long end = file.size();
    write(1, 10);
    BatchScanner scanner = new BatchScanner(file, 0, end + 60, 4096);
    assertThat(scanner.next()).isTrue();
    assertThatThrownBy(scanner::next).isInstanceOf(CorruptLogException.class).hasMessageContaining("only 60 are left");
  }

  @Test
  void shouldEndWithTheFileWhereItIsShorterThanTheRange() {
    write(0, 10);
    BatchScanner scanner = new BatchScanner(file, 0, file.size() + 100, 4096);
    assertThat(scanner.next()).isTrue();
    assertThat(scanner.next()).isFalse();
  }

  @Test
  void shouldRefuseAFileThatEndsInABatch() {
    write(0, 10);
    long end = file.size() + 100;
    file.truncate(file.size() - 1);
    BatchScanner scanner = new BatchScanner(file, 0, end, 4096);
    assertThatThrownBy(scanner::next).isInstanceOf(CorruptLogException.class).hasMessageContaining("the file ends at");
  }
}
