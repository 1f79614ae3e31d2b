package dev.rowlog.engine.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordBatchDecoderTest {
  private static final int VARINT_MINUS_ONE = 1;
  private static final int VARINT_MINUS_TWO = 3;

  /** length 7, attributes, time +0, offset +0, key -1, value of 1 byte "v", no headers. */
  private static final byte[] RECORD = {14, 0, 0, 0, VARINT_MINUS_ONE, 2, 'v', 0};

  private final RecordBatchDecoder decoder = new RecordBatchDecoder();

  /** A batch of these record bytes that is right in all but them. */
  private static RecordBatch batch(int attributes, int lastOffsetDelta, int count, byte... records) {
    int size = RecordBatchLayout.HEADER_SIZE + records.length;
    ByteBuffer buffer = ByteBuffer.allocateDirect(size).put(RecordBatchLayout.RECORDS, records);
    new BatchHeader(
        4210, 0, new BatchAttributes((short) attributes), lastOffsetDelta, 100, 200, -1, (short) -1, -1, count)
            .writeTo(buffer, 0, size);
    return new RecordBatch().wrap(buffer, 0);
  }

  private int decode(RecordBatch batch) {
    decoder.open(batch);
    int count = 0;
    while (decoder.next()) {
      count++;
    }
    return count;
  }

  private void assertRefused(String problem, int count, byte... records) {
    assertThatThrownBy(() -> decode(batch(0, 9, count, records))).isInstanceOf(InvalidRecordException.class)
        .hasMessageContaining("malformed batch at offset 4210")
        .hasMessageContaining(problem);
  }

  private static byte[] changed(int position, int value) {
    byte[] record = RECORD.clone();
    record[position] = (byte) value;
    return record;
  }

  @Test
  void shouldReadFieldsInPlace() {
    // Given
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.add(100, new byte[] {'k'}, new byte[] {'v', 'w'}, List.of(new Header("h", null)));
    encoder.addAtDelta(5, 90, null, null, List.of());
    ByteBuffer batch = encoder.finish(40, 0);
    ByteBuffer buffer = ByteBuffer.allocateDirect(300).put(new byte[50]).put(batch).flip();
    // When
    decoder.open(new RecordBatch().wrap(buffer, 50));
    assertThat(decoder.next()).isTrue();
    // Then
    assertThat(decoder.offset()).isEqualTo(40);
    assertThat(decoder.timestamp()).isEqualTo(100);
    assertThat(decoder.recordStart()).isEqualTo(50 + 61);
    assertThat(decoder.keyLength()).isEqualTo(1);
    assertThat(decoder.data().get(decoder.keyPosition())).isEqualTo((byte) 'k');
    assertThat(decoder.valueLength()).isEqualTo(2);
    assertThat(decoder.data().get(decoder.valuePosition() + 1)).isEqualTo((byte) 'w');
    assertThat(decoder.bodyPosition()).isEqualTo(decoder.keyPosition() - 1);
    assertThat(decoder.headerCount()).isEqualTo(1);
    int end = decoder.recordEnd();
    assertThat(decoder.next()).isTrue();
    assertThat(decoder.recordStart()).isEqualTo(end);
    assertThat(decoder.recordEnd()).isEqualTo(buffer.limit());
    assertThat(decoder.offset()).isEqualTo(45);
    assertThat(decoder.offsetDelta()).isEqualTo(5);
    assertThat(decoder.timestamp()).isEqualTo(90);
    assertThat(decoder.keyLength()).isEqualTo(-1);
    assertThat(decoder.record().isTombstone()).isTrue();
    assertThat(decoder.next()).isFalse();
    assertThat(decoder.next()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void shouldLeaveReadableBytesBehindTheLastPlainByte(Compression compression) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(compression);
    encoder.add(100, null, new byte[16 * 1024], List.of());
    decoder.open(new RecordBatch().wrap(encoder.finish(0, 0), 0));
    assertThat(decoder.next()).isTrue();
    assertThat(decoder.data().limit()).isGreaterThanOrEqualTo(decoder.recordEnd() + 64);
  }

  @Test
  void shouldReadTheWellFormedRecordThatTheOthersAreMadeOf() {
    assertThat(decode(batch(0, 0, 1, RECORD))).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void shouldReadNothingFromAHeaderOnlyBatch(Compression compression) {
    assertThat(decode(batch(compression.id(), 5, 0))).isZero();
  }

  @Test
  void shouldRefuseEveryPrefixOfARecord() {
    for (int size = 0; size < RECORD.length; size++) {
      assertRefused("", 1, Arrays.copyOf(RECORD, size));
    }
  }

  @Test
  void shouldRefuseALengthThatLies() {
    assertRefused("claims 8 bytes, 7 are left", 1, changed(0, 16));
    assertRefused("past the end of the record", 1, changed(0, 12));
    assertRefused("claims -1 bytes", 1, changed(0, VARINT_MINUS_ONE));
    byte[] longer = Arrays.copyOf(RECORD, RECORD.length + 1);
    longer[0] = 16;
    assertRefused("1 bytes follow the fields", 1, longer);
    assertRefused("claims 2147483647 bytes", 1, (byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0x0f);
  }

  @Test
  void shouldRefuseACountThatLies() {
    assertRefused("a varint goes on past the end", 2, RECORD);
    assertRefused("a varint goes on past the end", Integer.MAX_VALUE, RECORD);
    assertRefused("8 bytes follow its last record", 0, RECORD);
    assertRefused("claims -1 records", -1, RECORD);
  }

  @Test
  void shouldRefuseKeyAndValueLengthsThatLie() {
    assertRefused("has the length -2", 1, changed(4, VARINT_MINUS_TWO));
    assertRefused("a field of 4 bytes goes past the end", 1, changed(4, 8));
    assertRefused("has the length -2", 1, changed(5, VARINT_MINUS_TWO));
    assertRefused("a field of 3 bytes goes past the end", 1, changed(5, 6));
  }

  @Test
  void shouldRefuseOffsetsThatDoNotRiseOrPassTheLast() {
    assertRefused("offset delta -1 follows -1", 1, changed(3, VARINT_MINUS_ONE));
    assertRefused("offset delta 10 follows -1 in a batch that ends at 9", 1, changed(3, 20));
    byte[] twice = Arrays.copyOf(RECORD, 16);
    System.arraycopy(RECORD, 0, twice, 8, 8);
    assertRefused("offset delta 0 follows 0", 2, twice);
  }

  @Test
  void shouldRefuseHeadersThatLie() {
    assertRefused("claims 1 headers", 1, changed(7, 2));
    assertRefused("claims -1 headers", 1, changed(7, VARINT_MINUS_ONE));
    byte[] endless = {22, 0, 0, 0, VARINT_MINUS_ONE, 0, (byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 0};
    assertRefused("claims 2147483647 headers", 1, endless);
    byte[] noKey = {16, 0, 0, 0, VARINT_MINUS_ONE, 0, 2, VARINT_MINUS_ONE, 0};
    assertRefused("has no key", 1, noKey);
    byte[] longKey = {16, 0, 0, 0, VARINT_MINUS_ONE, 0, 2, 4, 0};
    assertRefused("a field of 2 bytes goes past the end", 1, longKey);
  }

  @Test
  void shouldRefuseAVarintThatIsTooLong() {
    byte[] endless = new byte[30];
    Arrays.fill(endless, (byte) 0x80);
    assertRefused("is longer than 5 bytes", 1, endless);
  }

  @Test
  void shouldRefuseABatchLongerThanItsBuffer() {
    RecordBatch batch = batch(0, 0, 1, RECORD);
    batch.buffer().putInt(RecordBatchLayout.BATCH_LENGTH, 10_000);
    assertThatThrownBy(() -> decoder.open(batch)).isInstanceOf(InvalidRecordException.class);
    batch.buffer().putInt(RecordBatchLayout.BATCH_LENGTH, 10);
    assertThatThrownBy(() -> decoder.open(batch)).isInstanceOf(InvalidRecordException.class);
  }

  @Test
  void shouldRefuseAnUnknownCodec() {
    assertThatThrownBy(() -> decode(batch(6, 0, 1, RECORD))).isInstanceOf(UnsupportedFormatException.class);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void shouldRefuseABombAndReadTheNextBatch(Compression compression) {
    // Given
    RecordBatchDecoder bounded = new RecordBatchDecoder(1024 * 1024);
    RecordBatchEncoder encoder = new RecordBatchEncoder(compression);
    encoder.add(0, null, new byte[16 * 1024 * 1024], List.of());
    RecordBatch bomb = new RecordBatch().wrap(encoder.finish(0, 0), 0);
    // When
    assertThatThrownBy(() -> bounded.open(bomb)).isInstanceOf(InvalidRecordException.class)
        .hasMessageContaining("malformed batch at offset 0");
    // Then
    encoder.begin();
    encoder.add(0, null, new byte[1024], List.of());
    assertThat(Batches.read(bounded, encoder.finish(1, 0))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void shouldDecodeOrRefuseWhateverBytesAreChanged(Compression compression) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(compression);
    RecordBatchDecoder bounded = new RecordBatchDecoder(8 * 1024 * 1024);
    int[] refused = new int[1];
    Seeds.forEach(1000, random -> {
      ByteBuffer batch = Batches.write(encoder, 0, 0, RandomRecords.next(random, 0));
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        int position = RecordBatchLayout.RECORD_COUNT + random.nextInt(batch.limit() - RecordBatchLayout.RECORD_COUNT);
        batch.put(position, (byte) random.nextInt(256));
      }
      try {
        bounded.open(new RecordBatch().wrap(batch, 0));
        while (bounded.next()) {
          bounded.record();
        }
      } catch (InvalidRecordException e) {
        refused[0]++;
      }
    });
    assertThat(refused[0]).isPositive();
  }

  @Test
  void shouldReadTheSameWhateverLiesBehindTheBatch() {
    Seeds.forEach(300, random -> {
      // Given a batch with up to three changed bytes, alone in its buffer and with room behind it
      RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
      ByteBuffer alone = ByteBuffer.allocateDirect(1 << 20).put(Batches.write(encoder, 7, 0, shortRecords(random))).flip();
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        int records = alone.limit() - RecordBatchLayout.RECORDS;
        alone.put(RecordBatchLayout.RECORDS + random.nextInt(records), (byte) random.nextInt(256));
      }
      byte[] bytes = new byte[alone.limit()];
      alone.get(0, bytes);
      ByteBuffer exact = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
      byte[] behind = new byte[64];
      random.nextBytes(behind);
      ByteBuffer roomy = ByteBuffer.allocateDirect(bytes.length + behind.length).put(bytes).put(behind).flip();

      // When
      String expected = outcome(exact);
      String actual = outcome(roomy);

      // Then
      assertThat(actual).isEqualTo(expected);
    });
  }

  private static List<Record> shortRecords(Random random) {
    List<Record> records = List.of();
    while (records.isEmpty()) {
      records = RandomRecords.next(random, 7)
          .stream()
          .filter(record -> record.value() == null || record.value().length < 1_000)
          .limit(20)
          .toList();
    }
    return records;
  }

  private String outcome(ByteBuffer buffer) {
    StringBuilder outcome = new StringBuilder();
    try {
      decoder.open(new RecordBatch().wrap(buffer, 0));
      while (decoder.next()) {
        outcome.append(RandomRecords.describe(List.of(decoder.record()))).append('\n');
      }
    } catch (InvalidRecordException e) {
      outcome.append(e.getMessage());
    }
    return outcome.toString();
  }

  @Test
  void shouldSkipRecordsByTheirLength() {
    // Given
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.LZ4);
    for (int i = 0; i < 5; i++) {
      encoder.add(100 + i, new byte[] {(byte) i}, new byte[200], List.of(new Header("h", new byte[] {1})));
    }
    ByteBuffer batch = encoder.finish(40, 0);

    // When
    decoder.open(new RecordBatch().wrap(batch, batch.position()));
    int skippedBefore = skip(2);
    boolean third = decoder.next();
    long offset = decoder.offset();
    int skippedAfter = skip(3);

    // Then
    assertThat(skippedBefore).isEqualTo(2);
    assertThat(third).isTrue();
    assertThat(offset).isEqualTo(42);
    assertThat(skippedAfter).isEqualTo(2);
    assertThat(decoder.next()).isFalse();
  }

  private int skip(int atMost) {
    int skipped = 0;
    while (skipped < atMost && decoder.skip()) {
      skipped++;
    }
    return skipped;
  }
}
