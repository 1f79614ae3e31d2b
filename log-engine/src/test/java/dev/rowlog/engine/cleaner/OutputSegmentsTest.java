package dev.rowlog.engine.cleaner;

import static dev.rowlog.engine.cleaner.CleanerFixture.CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.Segment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.record.internal.FileLogInputStream;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.storage.internals.log.TimeIndex;
import org.apache.kafka.storage.internals.log.TimestampOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes, offsets and indexes of what a pass writes. */
class OutputSegmentsTest {
  @TempDir
  private Path root;

  private CleanerFixture fixture;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void shouldRemoveSegmentsOfDeadBatchesWithoutLargerBuffers() {
    // Given 300 KiB of dead batches and a buffer of 4 KiB
    fixture = new CleanerFixture(new NioDisk(), root,
        new CleanerConfig(true, 1 << 20, 8 << 10, 0.9, Double.MAX_VALUE, 15_000));
    PartitionLog log = fixture.create(CONFIG);
    String value = "x".repeat(1_000);
    for (int i = 0; i < 300; i++) {
      fixture.write(log, "a=" + value);
    }
    log.roll();
    fixture.write(log, "a=last");
    log.roll();

    // When
    CleaningReport report = fixture.cleaner().clean(log);

    // Then
    assertThat(CleanerFixture.contents(log)).isEqualTo("a=last@300 | ");
    assertThat(report.bytesWritten()).isLessThan(200);
  }

  @Test
  void shouldWriteBatchesLargerThanItsBufferBetweenSmallOnes() {
    // Given a buffer of 4 KiB
    fixture = new CleanerFixture(new NioDisk(), root,
        new CleanerConfig(true, 1 << 20, 8 << 10, 0.9, Double.MAX_VALUE, 15_000));
    PartitionLog log = fixture.create(CONFIG);
    String large = "x".repeat(20_000);
    for (int i = 0; i < 10; i++) {
      fixture.write(log, "a" + i + "=1", "dead=" + i);
      fixture.write(log, "b" + i + "=" + large);
      fixture.write(log, "c" + i + "=" + large, "dead=" + i, "d" + i + "=2");
    }
    log.roll();

    // When
    fixture.cleaner().clean(log);

    // Then
    assertThat(CleanerFixture.records(log)).hasSize(41);
    assertThat(reopened(log)).hasSize(41);
  }

  @Test
  void shouldWriteSeveralSegmentsWhenBatchesGrowBeyondTheLimit() {
    // Given segments that are full of tombstones: a horizon makes each record larger
    fixture = new CleanerFixture(new NioDisk(), root);
    int limit = 20_000;
    PartitionLog log = fixture.create(CONFIG.with("segment.bytes", Integer.toString(limit)));
    for (int i = 0; i < 200; i++) {
      String[] batch = new String[20];
      for (int j = 0; j < batch.length; j++) {
        batch[j] = "k" + (20 * i + j) + "=∅";
      }
      fixture.writeBatch(log, Compression.NONE, batch);
    }
    log.roll();
    int before = log.segments().inactive().size();

    // When
    CleaningReport report = fixture.cleaner().clean(log);

    // Then
    assertThat(report.bytesAfter()).isGreaterThan(report.bytesBefore());
    assertThat(log.segments().inactive()).hasSizeGreaterThan(before)
        .allSatisfy(segment -> assertThat(segment.sizeBytes()).isBetween(1L, (long) limit));
    assertThat(CleanerFixture.records(log)).hasSize(4_000);
    assertThat(reopened(log)).hasSize(4_000);
  }

  @Test
  void shouldKeepASegmentWithinTwoGibiOffsets() {
    // Given
    fixture = new CleanerFixture(new NioDisk(), root);
    PartitionLog log = fixture.create(CONFIG);
    fixture.write(log, "a=1", "b=1");
    appendAfterGap(log, "a=2", Integer.MAX_VALUE);
    appendAfterGap(log, "c=1", Integer.MAX_VALUE);
    appendAfterGap(log, "c=2", 5);
    log.roll();

    // When
    fixture.cleaner().clean(log);

    // Then
    for (Segment segment : log.segments().all()) {
      assertThat(segment.nextOffset() - segment.baseOffset()).isLessThanOrEqualTo(1L << 31);
    }
    assertThat(reopened(log)).containsExactly("b=1@1", "a=2@2147483649", "c=2@4294967303");
  }

  @Test
  void shouldPointTheTimeIndexAtBatchesAndTimesThatAreThere() {
    Seeds.forEach(10, random -> {
      // Given batches whose newest time belongs to a record that goes
      Path folder = root.resolve("seed" + random.nextInt());
      fixture = new CleanerFixture(new NioDisk(), folder);
      PartitionLog log = fixture.create(CONFIG.with("index.interval.bytes", "0"));
      for (int i = 0; i < 60; i++) {
        RecordBatchEncoder batch = new RecordBatchEncoder(Compression.NONE);
        batch.begin();
        for (int j = 0; j < 3; j++) {
          batch.add(
              CleanerFixture.START_MS + random.nextInt(100_000), bytes("k" + random.nextInt(20)), bytes("v"),
              List.of());
        }
        log.append(batch);
      }
      log.roll();

      // When
      fixture.cleaner().clean(log);

      // Then
      Segment segment = log.segments().all().get(0);
      Map<Long, Long> maxTimestamps = new java.util.TreeMap<>();
      for (CleanerFixture.BatchFacts batch : CleanerFixture.batches(log)) {
        maxTimestamps.put(batch.lastOffset(), batch.maxTimestamp());
      }
      try (TimeIndex index = new TimeIndex(timeIndex(segment), segment.baseOffset(), -1, false)) {
        assertThat(index.entries()).isPositive();
        for (int i = 0; i < index.entries(); i++) {
          TimestampOffset entry = index.entry(i);
          assertThat(maxTimestamps).containsEntry(entry.offset(), entry.timestamp());
        }
        assertThat(index.lastEntry().timestamp())
            .isEqualTo(CleanerFixture.records(log).stream().mapToLong(Record::timestamp).max().orElseThrow());
      }
      fixture.close();
    });
  }

  @Test
  void shouldKeepTheAgeOfTheNewestSource() {
    // Given
    fixture = new CleanerFixture(new NioDisk(), root);
    PartitionLog log = fixture.create(CONFIG);
    fixture.write(log, "a=1", "a=2");
    log.roll();
    fixture.write(log, "a=3");
    log.roll();
    log.segments().all().get(0).setLastModified(1_000_000);
    log.segments().all().get(1).setLastModified(2_000_000);

    // When
    fixture.cleaner().clean(log);

    // Then
    assertThat(log.segments().inactive()).hasSize(1);
    assertThat(log.segments().all().get(0).lastModified()).isEqualTo(2_000_000);
  }

  @Test
  void shouldLetKafkaReadEveryBatch() throws IOException {
    // Given
    fixture = new CleanerFixture(new NioDisk(), root);
    PartitionLog log = fixture.create(CONFIG);
    for (Compression compression : Compression.values()) {
      fixture.writeBatch(log, compression, "a=1", "b=∅", "a=2", compression + "=1");
    }
    log.roll();

    // When
    fixture.cleaner().clean(log);

    // Then
    List<Long> offsets = new ArrayList<>();
    try (FileRecords records = FileRecords.open(log.segments().all().get(0).logPath().toFile())) {
      for (FileLogInputStream.FileChannelRecordBatch batch : records.batches()) {
        batch.ensureValid();
        batch.forEach(record -> offsets.add(record.offset()));
      }
    }
    assertThat(offsets).containsExactly(3L, 7L, 11L, 15L, 17L, 18L, 19L);
  }

  private static java.io.File timeIndex(Segment segment) {
    return Path.of(segment.logPath().toString().replace(".log", ".timeindex")).toFile();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void appendAfterGap(PartitionLog log, String record, int gap) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.begin();
    String[] parts = record.split("=", 2);
    // The batch's own base must lie at the log end, so the gap is inside it.
    encoder.addAtDelta(gap, fixture.clock.millis(), bytes(parts[0]), bytes(parts[1]), List.of());
    log.append(encoder);
  }

  private List<String> reopened(PartitionLog log) {
    fixture.reopen();
    return CleanerFixture.records(fixture.load(log.config())).stream().map(CleanerFixture::print).toList();
  }
}
