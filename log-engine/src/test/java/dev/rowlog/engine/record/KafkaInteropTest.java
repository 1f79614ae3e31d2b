package dev.rowlog.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.Seeds;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
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
}
