package dev.rowlog.engine.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordBatchTest {
  private static final byte[] ANN = {'a', 'n', 'n'};

  /** A batch of one record at offset 4210. */
  private static ByteBuffer batch() {
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.add(1_700_000_000_000L, ANN, ANN, List.of());
    return encoder.finish(4210, 7);
  }

  private static void ensureValid(ByteBuffer buffer) {
    new RecordBatch().wrap(buffer, 0).ensureValid(Batches.SOMEWHERE, 18432);
  }

  @Test
  void shouldReadTheHeaderFields() {
    RecordBatch batch = new RecordBatch().wrap(batch(), 0);
    assertThat(batch.baseOffset()).isEqualTo(4210);
    assertThat(batch.lastOffset()).isEqualTo(4210);
    assertThat(batch.nextOffset()).isEqualTo(4211);
    assertThat(batch.sizeBytes()).isEqualTo(batch.buffer().limit());
    assertThat(batch.end()).isEqualTo(batch.buffer().limit());
    assertThat(batch.partitionLeaderEpoch()).isEqualTo(7);
    assertThat(batch.baseTimestamp()).isEqualTo(1_700_000_000_000L);
    assertThat(batch.maxTimestamp()).isEqualTo(1_700_000_000_000L);
    assertThat(batch.recordCount()).isEqualTo(1);
    assertThat(BatchHeader.of(batch).producerId()).isEqualTo(-1);
    assertThat(BatchHeader.of(batch).producerEpoch()).isEqualTo((short) -1);
    assertThat(BatchHeader.of(batch).baseSequence()).isEqualTo(-1);
  }

  @Test
  void shouldFollowTheBytesWhenTheBufferIsFilledAgain() {
    // Given: a short limit at first, another one and other bytes later
    ByteBuffer source = batch();
    ByteBuffer buffer = ByteBuffer.allocateDirect(1000).limit(100).put(source.duplicate()).flip();
    RecordBatch batch = new RecordBatch().wrap(buffer, 0);
    assertThat(batch.baseOffset()).isEqualTo(4210);
    // When
    buffer.clear().position(500).put(source.duplicate()).putLong(500, 5000).flip();
    batch.wrap(buffer, 500);
    // Then
    batch.ensureValid(Batches.SOMEWHERE, 0);
    assertThat(batch.baseOffset()).isEqualTo(5000);
  }

  @Test
  void shouldReadBigEndianWhateverTheOrderOfTheBuffer() {
    ByteBuffer buffer = batch().order(ByteOrder.LITTLE_ENDIAN);
    ensureValid(buffer);
    assertThat(buffer.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(buffer.position()).isZero();
    assertThat(new RecordBatch().wrap(buffer, 0).baseOffset()).isEqualTo(4210);
  }

  @Test
  void shouldFindEveryBitThatFlipsBehindTheCrc() {
    ByteBuffer buffer = batch();
    for (int bit = RecordBatchLayout.CRC * 8; bit < buffer.limit() * 8; bit++) {
      flip(buffer, bit);
      assertThatThrownBy(() -> ensureValid(buffer)).isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("batch CRC mismatch (base offset 4210): stored 0x")
          .hasMessageContaining("00000000000000000000.log at position 18432");
      flip(buffer, bit);
    }
    ensureValid(buffer);
  }

  private static void flip(ByteBuffer buffer, int bit) {
    buffer.put(bit / 8, (byte) (buffer.get(bit / 8) ^ 1 << bit % 8));
  }

  @Test
  void shouldLetOffsetAndLeaderEpochBeSetWithoutAnotherCrc() {
    ByteBuffer buffer = batch();
    buffer.putLong(RecordBatchLayout.BASE_OFFSET, 9000).putInt(RecordBatchLayout.PARTITION_LEADER_EPOCH, 8);
    ensureValid(buffer);
  }

  @Test
  void shouldTellOldFormatsFromBadBytes() {
    ByteBuffer buffer = batch();
    for (byte magic = 0; magic <= 1; magic++) {
      buffer.put(RecordBatchLayout.MAGIC, magic);
      assertThatThrownBy(() -> ensureValid(buffer)).isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContaining("message format version " + magic);
    }
    buffer.put(RecordBatchLayout.MAGIC, (byte) 3);
    assertThatThrownBy(() -> ensureValid(buffer)).isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("batch magic is 3, expected 2");
  }

  @Test
  void shouldRefuseALengthOutsideTheBuffer() {
    for (int length : new int[]{Integer.MIN_VALUE, -13, -1, 0, 48, 10_000, Integer.MAX_VALUE}) {
      ByteBuffer buffer = batch().putInt(RecordBatchLayout.BATCH_LENGTH, length);
      assertThatThrownBy(() -> ensureValid(buffer)).as("length %d", length).isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("batch size");
    }
  }

  @Test
  void shouldRefuseAHeaderThatIsCutShort() {
    ByteBuffer buffer = batch().limit(60);
    assertThatThrownBy(() -> ensureValid(buffer)).isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("a batch header has 61 bytes, found 60");
  }

  @Test
  void shouldRefuseCountsThatCannotBeThoughTheCrcIsRight() {
    for (int[] counts : new int[][]{{-1, 0}, {0, -1}, {0, 2}, {Integer.MAX_VALUE, -1}, {-1, Integer.MIN_VALUE}}) {
      ByteBuffer buffer = ByteBuffer.allocate(61);
      new BatchHeader(1, 0, new BatchAttributes((short) 0), counts[0], 0, 0, -1, (short) -1, -1, counts[1])
          .writeTo(buffer, 0, 61);
      assertThatThrownBy(() -> ensureValid(buffer)).isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("cannot have the last offset delta");
    }
  }
}
