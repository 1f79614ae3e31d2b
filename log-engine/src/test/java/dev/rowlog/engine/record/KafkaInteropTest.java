package dev.rowlog.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every batch that we write is read by Kafka's own classes, and the other way round. */
class KafkaInteropTest {
  private static final int LEADER_EPOCH = 3;

  private final RecordBatchDecoder decoder = new RecordBatchDecoder();

  @ParameterizedTest
  @EnumSource
  void shouldBeReadByKafkaWhenWrittenHere(Compression compression) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(compression);
    Seeds.forEach(150, random -> {
      // Given
      long baseOffset = random.nextInt(2) == 0 ? 0 : Math.abs(random.nextLong() >> 1);
      List<Record> records = RandomRecords.next(random, baseOffset);
      // When
      MutableRecordBatch batch = KafkaBatches.read(Batches.write(encoder, baseOffset, LEADER_EPOCH, records));
      // Then
      assertThat(RandomRecords.describe(KafkaBatches.records(batch))).isEqualTo(RandomRecords.describe(records));
      assertThat(batch.baseOffset()).isEqualTo(baseOffset);
      assertThat(batch.lastOffset()).isEqualTo(records.get(records.size() - 1).offset());
      assertThat(batch.maxTimestamp()).isEqualTo(records.stream().mapToLong(Record::timestamp).max().orElseThrow());
      assertThat(batch.partitionLeaderEpoch()).isEqualTo(LEADER_EPOCH);
      assertThat(batch.timestampType()).isEqualTo(TimestampType.CREATE_TIME);
      assertThat(batch.hasProducerId()).isFalse();
      assertThat(batch.compressionType().name).isEqualTo(compression.configName());
    });
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeReadHereWhenWrittenByKafka(Compression compression) {
    Seeds.forEach(150, random -> {
      // Given
      long baseOffset = random.nextInt(2) == 0 ? 0 : Math.abs(random.nextLong() >> 1);
      List<Record> records = RandomRecords.next(random, baseOffset);
      ByteBuffer batch = KafkaBatches.write(compression, baseOffset, LEADER_EPOCH, TimestampType.CREATE_TIME, records);
      // When
      List<Record> read = Batches.read(decoder, batch);
      // Then
      assertThat(RandomRecords.describe(read)).isEqualTo(RandomRecords.describe(records));
    });
  }

  /** zstd is left out: Kafka streams it, so the same records have other, equally valid bytes. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ZSTD")
  void shouldBeTheBytesOfKafka(Compression compression) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(compression);
    Seeds.forEach(150, random -> {
      // Given
      List<Record> records = RandomRecords.next(random, 4210);
      ByteBuffer expected = KafkaBatches.write(compression, 4210, LEADER_EPOCH, TimestampType.CREATE_TIME, records);
      // When
      ByteBuffer batch = Batches.write(encoder, 4210, LEADER_EPOCH, records);
      // Then
      assertThat(batch).isEqualTo(expected);
    });
  }

  @ParameterizedTest
  @EnumSource
  void shouldReadRecordsOfSeveralBlocks(Compression compression) {
    // Given
    byte[] value = new byte[9 * 1024 * 1024];
    Seeds.random(1).nextBytes(value);
    Arrays.fill(value, 1_000_000, 5_000_000, (byte) 'x');
    List<Record> records = List.of(
        new Record(5, 100, value, value, List.of()), new Record(6, 100, null, value, List.of()));
    // When
    ByteBuffer ours = Batches.write(new RecordBatchEncoder(compression), 5, LEADER_EPOCH, records);
    ByteBuffer theirs = KafkaBatches.write(compression, 5, LEADER_EPOCH, TimestampType.CREATE_TIME, records);
    // Then
    for (Record record : KafkaBatches.records(KafkaBatches.read(ours))) {
      assertThat(Arrays.equals(record.value(), value)).isTrue();
    }
    for (Record record : Batches.read(decoder, theirs)) {
      assertThat(Arrays.equals(record.value(), value)).isTrue();
    }
  }

  @Test
  void shouldGiveEveryRecordTheAppendTimeWhenTheBatchIsOfThatKind() {
    // Given
    List<Record> records = RandomRecords.next(Seeds.random(1), 0);
    ByteBuffer batch = KafkaBatches.write(Compression.LZ4, 0, LEADER_EPOCH, TimestampType.LOG_APPEND_TIME, records);
    List<Record> expected = KafkaBatches.records(KafkaBatches.read(batch.duplicate()));
    // When
    List<Record> read = Batches.read(decoder, batch);
    // Then
    assertThat(RandomRecords.describe(read)).isEqualTo(RandomRecords.describe(expected));
    assertThat(read).allSatisfy(record -> assertThat(record.timestamp()).isEqualTo(expected.get(0).timestamp()));
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepTimestampsWhenKafkaSetADeleteHorizon(Compression compression) {
    Seeds.forEach(30, random -> {
      // Given
      List<Record> records = new ArrayList<>(RandomRecords.next(random, 50));
      records.add(new Record(1_000_000_000, 77, new byte[]{1}, null, List.of()));
      ByteBuffer batch = KafkaBatches.write(compression, 50, LEADER_EPOCH, TimestampType.CREATE_TIME, records);
      // When
      ByteBuffer cleaned = KafkaBatches.clean(batch, 1_800_000_000_000L, 86_400_000, record -> true);
      // Then
      RecordBatch header = new RecordBatch().wrap(cleaned, 0);
      assertThat(header.attributes().hasDeleteHorizon()).isTrue();
      assertThat(header.baseTimestamp()).isEqualTo(1_800_086_400_000L);
      assertThat(RandomRecords.describe(Batches.read(decoder, cleaned))).isEqualTo(RandomRecords.describe(records));
    });
  }

  @ParameterizedTest
  @EnumSource
  void shouldMakeTheHeaderOnlyBatchOfKafka(Compression compression) {
    // Given
    MemoryRecords source = MemoryRecords.withTransactionalRecords(
        org.apache.kafka.common.record.internal.RecordBatch.CURRENT_MAGIC_VALUE,
        300,
        KafkaBatches.codec(compression),
        9001,
        (short) 4,
        17,
        LEADER_EPOCH,
        new SimpleRecord(1000, new byte[]{1}, new byte[]{2}),
        new SimpleRecord(2000, new byte[]{3}, new byte[]{4}));
    ByteBuffer batch = source.buffer();
    // When
    ByteBuffer expected = KafkaBatches.clean(batch.duplicate(), 5000, 100, record -> false);
    ByteBuffer empty = ByteBuffer.allocate(RecordBatchLayout.HEADER_SIZE);
    BatchHeader.of(new RecordBatch().wrap(batch, 0)).withoutRecords().writeTo(empty, 0, empty.limit());
    // Then
    assertThat(empty).isEqualTo(expected);
    assertThat(Batches.read(decoder, expected)).isEmpty();
    assertThat(new RecordBatch().wrap(expected, 0).lastOffset()).isEqualTo(301);
  }

  @Test
  void shouldReadProducerFieldsAndControlBatches() {
    // Given
    ByteBuffer marker = MemoryRecords.withEndTransactionMarker(
        42, 1234, LEADER_EPOCH, 9001, (short) 4, new EndTransactionMarker(ControlRecordType.ABORT, 6)).buffer();
    // When
    RecordBatch batch = new RecordBatch().wrap(marker, marker.position());
    List<Record> records = Batches.read(decoder, marker);
    // Then
    assertThat(batch.attributes().isControl()).isTrue();
    assertThat(batch.attributes().isTransactional()).isTrue();
    assertThat(batch.producerId()).isEqualTo(9001);
    assertThat(batch.producerEpoch()).isEqualTo((short) 4);
    assertThat(records).singleElement().satisfies(record -> {
      assertThat(record.offset()).isEqualTo(42);
      assertThat(record.timestamp()).isEqualTo(1234);
      assertThat(record.key()).containsExactly(0, 0, 0, 0);
      assertThat(record.value()).containsExactly(0, 0, 0, 0, 0, 6);
    });
  }
}
