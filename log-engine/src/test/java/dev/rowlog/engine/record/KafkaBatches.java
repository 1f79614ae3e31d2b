package dev.rowlog.engine.record;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.Utils;

/** Batches written and read by Kafka's own classes: the oracle of the format. */
final class KafkaBatches {
  private KafkaBatches() {}

  /** One batch of these records; record offsets and base offset as given. */
  static ByteBuffer write(
      Compression compression, long baseOffset, int leaderEpoch, TimestampType type, List<Record> records) {
    ByteBuffer buffer = ByteBuffer.allocate(1024);
    MemoryRecordsBuilder builder = MemoryRecords.builder(
        buffer,
        org.apache.kafka.common.record.internal.RecordBatch.CURRENT_MAGIC_VALUE,
        codec(compression),
        type,
        baseOffset,
        records.get(records.size() - 1).timestamp(),
        leaderEpoch);
    records.forEach(record -> builder.appendWithOffset(record.offset(), simple(record)));
    return builder.build().buffer();
  }

  /** The only batch in the buffer, checked by Kafka. */
  static MutableRecordBatch read(ByteBuffer buffer) {
    List<MutableRecordBatch> batches = new ArrayList<>();
    MemoryRecords.readableRecords(buffer).batches().forEach(batches::add);
    if (batches.size() != 1) {
      throw new AssertionError(batches.size() + " batches, expected one");
    }
    batches.get(0).ensureValid();
    return batches.get(0);
  }

  static List<Record> records(MutableRecordBatch batch) {
    List<Record> records = new ArrayList<>();
    for (org.apache.kafka.common.record.internal.Record record : batch) {
      record.ensureValid();
      List<Header> headers = new ArrayList<>();
      for (org.apache.kafka.common.header.Header header : record.headers()) {
        headers.add(new Header(header.key(), header.value()));
      }
      byte[] key = record.hasKey() ? Utils.toArray(record.key()) : null;
      byte[] value = record.hasValue() ? Utils.toArray(record.value()) : null;
      records.add(new Record(record.offset(), record.timestamp(), key, value, headers));
    }
    return records;
  }

  /** One pass of Kafka's cleaner over the batch; a batch that loses every record stays as a header. */
  static ByteBuffer clean(
      ByteBuffer batch,
      long now,
      long deleteRetentionMs,
      Predicate<org.apache.kafka.common.record.internal.Record> keep) {
    MemoryRecords.RecordFilter filter = new MemoryRecords.RecordFilter(now, deleteRetentionMs) {
      @Override
      protected BatchRetentionResult checkBatchRetention(org.apache.kafka.common.record.internal.RecordBatch ignored) {
        return new BatchRetentionResult(BatchRetention.RETAIN_EMPTY, false);
      }

      @Override
      protected boolean shouldRetainRecord(
          org.apache.kafka.common.record.internal.RecordBatch ignored,
          org.apache.kafka.common.record.internal.Record record) {
        return keep.test(record);
      }
    };
    ByteBuffer target = ByteBuffer.allocate(batch.remaining() * 2 + 1024);
    MemoryRecords.readableRecords(batch).filterTo(filter, target, BufferSupplier.NO_CACHING);
    return target.flip();
  }

  static org.apache.kafka.common.compress.Compression codec(Compression compression) {
    return org.apache.kafka.common.compress.Compression.of(compression.configName()).build();
  }

  private static SimpleRecord simple(Record record) {
    return new SimpleRecord(
        record.timestamp(),
        record.key(),
        record.value(),
        record.headers().stream()
            .map(header -> new RecordHeader(header.key(), header.value()))
            .toArray(org.apache.kafka.common.header.Header[]::new));
  }
}
