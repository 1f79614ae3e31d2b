package dev.rowlog.engine.cleaner;

import static dev.rowlog.engine.cleaner.CleanerFixture.CONFIG;
import static dev.rowlog.engine.cleaner.CleanerFixture.LOG;
import static dev.rowlog.engine.cleaner.CleanerFixture.contents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.BatchAttributes;
import dev.rowlog.engine.record.BatchHeader;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches that only Kafka writes: of idempotent producers and of transactions. */
class ForeignLogsTest {
  private static final LogConfig EAGER = CONFIG.with("min.cleanable.dirty.ratio", "0");
  private static final long PRODUCER = 7;
  private static final byte[] COMMIT_MARKER = {0, 0, 0, 1};

  @TempDir
  private Path root;

  private CleanerFixture fixture;

  @BeforeEach
  void open() {
    fixture = new CleanerFixture(new NioDisk(), root);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void shouldKeepTheHeaderOfTheLastBatchOfAnIdempotentProducer() throws IOException {
    // Given two batches of a producer, both replaced
    fixture.create(EAGER);
    append(0, batch(0, 0, "a", "1"), batch(1, 0, "a", "2"), plainBatch(2, "a", "3"));
    PartitionLog log = reload();
    log.roll();

    // When
    fixture.cleaner().clean(log);

    // Then
    assertThat(CleanerFixture.records(log)).extracting(CleanerFixture::print).containsExactly("a=3@2");
    assertThat(CleanerFixture.batches(log)).extracting(CleanerFixture.BatchFacts::baseOffset).containsExactly(1L, 2L);
  }

  @Test
  void shouldCleanOnlyBelowTheSegmentWithTheFirstTransaction() throws IOException {
    // Given
    PartitionLog log = fixture.create(EAGER);
    fixture.write(log, "a=1", "a=2", "b=1");
    log.roll();
    append(3, plainBatch(3, "b", "2"), batch(4, BatchAttributes.TRANSACTIONAL, "b", "3"), marker(5));
    log = reload();
    log.roll();
    fixture.write(log, "a=3");
    log.roll();

    // When
    Optional<CleaningReport> first = fixture.cleaner().runOnce();
    Optional<CleaningReport> second = fixture.cleaner().runOnce();

    // Then
    assertThat(first).map(CleaningReport::endOffset).contains(3L);
    assertThat(contents(log)).startsWith("a=2@1 | b=2@3 b=3@4 ").endsWith(" | a=3@6 | ");
    assertThat(second).isEmpty();
    assertThat(fixture.cleaner().failures().get(LOG).reason()).isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("transaction").hasMessageContaining("offset 3");
  }

  /** Stops, writes what Kafka would have written behind the end, starts again. */
  private void append(long baseOffset, ByteBuffer... batches) throws IOException {
    fixture.reopen();
    Path file = root.resolve(LOG.directoryName())
        .resolve(String.format(java.util.Locale.ROOT, "%020d.log", baseOffset));
    for (ByteBuffer batch : batches) {
      byte[] bytes = new byte[batch.remaining()];
      batch.get(bytes);
      Files.write(file, bytes, StandardOpenOption.APPEND);
    }
  }

  private PartitionLog reload() {
    return fixture.load(EAGER);
  }

  private static ByteBuffer plainBatch(long offset, String key, String value) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.begin();
    encoder.add(CleanerFixture.START_MS, bytes(key), bytes(value), List.of());
    return encoder.finish(offset, 0);
  }

  private static ByteBuffer batch(long offset, int attributes, String key, String value) {
    return ofProducer(plainBatch(offset, key, value), attributes);
  }

  private static ByteBuffer marker(long offset) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.begin();
    encoder.add(CleanerFixture.START_MS, COMMIT_MARKER, new byte[6], List.of());
    return ofProducer(encoder.finish(offset, 0), BatchAttributes.TRANSACTIONAL | BatchAttributes.CONTROL);
  }

  private static ByteBuffer ofProducer(ByteBuffer batch, int attributes) {
    BatchHeader header = BatchHeader.of(new RecordBatch().wrap(batch, batch.position()));
    new BatchHeader(
        header.baseOffset(),
        header.partitionLeaderEpoch(),
        new BatchAttributes((short) attributes),
        header.lastOffsetDelta(),
        header.baseTimestamp(),
        header.maxTimestamp(),
        PRODUCER,
        (short) 0,
        (int) header.baseOffset(),
        header.recordCount()).writeTo(batch, batch.position(), batch.remaining());
    return batch;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
