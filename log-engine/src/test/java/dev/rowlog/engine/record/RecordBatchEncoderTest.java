package dev.rowlog.engine.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.RecordTooLargeException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordBatchEncoderTest {
  private static final byte[] KEY = {'k'};

  @ParameterizedTest
  @EnumSource
  void shouldGiveBackWhatWasAddedWhenEncoderAndDecoderAreReused(Compression compression) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(compression);
    RecordBatchDecoder decoder = new RecordBatchDecoder();
    Seeds.forEach(200, random -> {
      List<Record> records = RandomRecords.next(random, 77);
      ByteBuffer batch = Batches.write(encoder, 77, -1, records);
      assertThat(RandomRecords.describe(Batches.read(decoder, batch))).isEqualTo(RandomRecords.describe(records));
    });
  }

  @Test
  void shouldCountWhatWasAdded() {
    // Given
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    assertThat(encoder.sizeBytes()).isEqualTo(61);
    assertThat(encoder.maxTimestamp()).isEqualTo(-1);
    // When
    encoder.add(50, KEY, null, List.of());
    encoder.addAtDelta(4, 20, KEY, KEY, List.of());
    encoder.add(30, KEY, KEY, List.of());
    // Then
    assertThat(encoder.recordCount()).isEqualTo(3);
    assertThat(encoder.lastOffsetDelta()).isEqualTo(5);
    assertThat(encoder.maxTimestamp()).isEqualTo(50);
    assertThat(encoder.finish(0, 0).remaining()).isEqualTo(encoder.sizeBytes());
    encoder.begin();
    assertThat(encoder.recordCount()).isZero();
    assertThat(encoder.sizeBytes()).isEqualTo(61);
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndTheSameBatchAtAnotherOffset(Compression compression) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(compression);
    encoder.add(50, KEY, KEY, List.of());
    encoder.finish(10, 0);
    List<Record> records = Batches.read(new RecordBatchDecoder(), encoder.finish(20, 0));
    assertThat(records).singleElement().satisfies(record -> assertThat(record.offset()).isEqualTo(20));
  }

  @Test
  void shouldRefuseOffsetsThatDoNotRiseAndTimesBeforeTheEpoch() {
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.addAtDelta(3, 0, KEY, KEY, List.of());
    assertThatThrownBy(() -> encoder.addAtDelta(3, 0, KEY, KEY, List.of())).isInstanceOf(InvalidRecordException.class);
    assertThatThrownBy(() -> encoder.addAtDelta(2, 0, KEY, KEY, List.of())).isInstanceOf(InvalidRecordException.class);
    assertThatThrownBy(() -> encoder.add(-2, KEY, KEY, List.of())).isInstanceOf(InvalidRecordException.class);
    assertThat(encoder.recordCount()).isEqualTo(1);
  }

  @Test
  void shouldRefuseARecordThatNoBufferHoldsAndKeepTheOthers() {
    // Given: 2.5 GiB by naming one array many times
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.add(0, KEY, KEY, List.of());
    List<Header> headers = Collections.nCopies(80, new Header("h", new byte[32 * 1024 * 1024]));
    // When
    assertThatThrownBy(() -> encoder.add(0, KEY, KEY, headers)).isInstanceOfSatisfying(
        RecordTooLargeException.class, tooLarge -> {
          assertThat(tooLarge.sizeBytes()).isGreaterThan(80L * 32 * 1024 * 1024);
          assertThat(tooLarge.limitBytes()).isEqualTo(Integer.MAX_VALUE - 72);
        });
    // Then
    encoder.add(0, KEY, KEY, List.of());
    assertThat(Batches.read(new RecordBatchDecoder(), encoder.finish(0, 0))).hasSize(2);
  }

  @Test
  void shouldTakeABatchOfExactlyItsBoundAndNoByteMore() {
    // Given: header 61, record of 1 + 8 fields + key 1 + value 29
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE, 100);
    // When // Then
    assertThatThrownBy(() -> encoder.add(0, KEY, new byte[32], List.of())).isInstanceOfSatisfying(
        RecordTooLargeException.class, tooLarge -> {
          assertThat(tooLarge.sizeBytes()).isEqualTo(101);
          assertThat(tooLarge.limitBytes()).isEqualTo(100);
        });
    encoder.add(0, KEY, new byte[31], List.of());
    assertThat(encoder.finish(0, 0).remaining()).isEqualTo(100);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void shouldRefuseABatchThatGrowsBeyondItsBoundWhenCompressed(Compression compression) {
    // Given
    byte[] incompressible = new byte[900];
    Seeds.random(5).nextBytes(incompressible);
    RecordBatchEncoder encoder = new RecordBatchEncoder(compression, 61 + 2 + 908);
    encoder.add(0, KEY, incompressible, List.of());
    // When // Then
    assertThatThrownBy(() -> encoder.finish(0, 0)).isInstanceOf(RecordTooLargeException.class);
  }

  @Test
  void shouldNotFinishWithoutRecords() {
    assertThatThrownBy(() -> new RecordBatchEncoder(Compression.NONE).finish(0, 0))
        .isInstanceOf(IllegalStateException.class);
  }
}
