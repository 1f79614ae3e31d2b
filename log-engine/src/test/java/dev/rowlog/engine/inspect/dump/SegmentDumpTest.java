package dev.rowlog.engine.inspect.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.Mirror;
import dev.rowlog.engine.Workload;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.replay.DirectoryReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentDumpTest {
  private static final TopicPartition TABLE = TopicPartition.of("table0");

  @TempDir
  Path directory;

  private final Disk disk = new NioDisk();
  private final Workload workload = new Workload(31, 1, 5, 30);

  @Test
  void shouldShowTheBatchesAndRecordsThatKafkaReads() throws Exception {
    // Given
    try (Mirror mirror = Mirror.open(disk, directory, workload, LogConfig.defaults())) {
      for (int i = 0; i < 20; i++) {
        mirror.commitNext();
      }
      mirror.appendUncommitted(TABLE);
    }
    List<BatchDescription> batches = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();

    // When
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      SegmentDump.dump(reader, TABLE, 0, new SegmentDump.Visitor() {
        @Override
        public void batch(BatchDescription batch) {
          batches.add(batch);
        }

        @Override
        public void record(RecordBatchDecoder current) {
          offsets.add(current.offset());
        }
      });
    }

    // Then
    List<Long> kafkaOffsets = new ArrayList<>();
    int at = 0;
    try (FileRecords log = FileRecords.open(directory.resolve("table0-0/00000000000000000000.log").toFile(), false)) {
      for (FileChannelRecordBatch kafka : log.batches()) {
        BatchDescription ours = batches.get(at++);
        assertThat(ours.position()).isEqualTo(kafka.position());
        assertThat(ours.baseOffset()).isEqualTo(kafka.baseOffset());
        assertThat(ours.lastOffset()).isEqualTo(kafka.lastOffset());
        assertThat(ours.recordCount()).isEqualTo(kafka.countOrNull());
        assertThat(ours.sizeBytes()).isEqualTo(kafka.sizeInBytes());
        assertThat(ours.maxTimestamp()).isEqualTo(kafka.maxTimestamp());
        assertThat(ours.isValid()).isTrue();
        for (Record kafkaRecord : kafka) {
          kafkaOffsets.add(kafkaRecord.offset());
        }
      }
    }
    assertThat(batches).hasSize(at);
    assertThat(offsets).isEqualTo(kafkaOffsets);
    assertThat(batches.subList(0, at - 1)).allSatisfy(batch -> assertThat(batch.isCommitted()).isTrue());
    assertThat(batches.get(at - 1).isCommitted()).isFalse();
  }

  @Test
  void shouldRefuseASegmentThatIsNotThere() {
    // Given
    Mirror.open(disk, directory, workload, LogConfig.defaults()).close();

    // When // Then
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      assertThatThrownBy(() -> SegmentDump.dump(reader, TABLE, 77, batch -> {}))
          .isInstanceOf(OffsetOutOfRangeException.class);
    }
  }
}
