package dev.rowlog.engine.record;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Batches written and read by the classes under test. */
final class Batches {
  static final Path SOMEWHERE = Path.of("orders-0", "00000000000000000000.log");

  private Batches() {}

  static ByteBuffer write(RecordBatchEncoder encoder, long baseOffset, int leaderEpoch, List<Record> records) {
    encoder.begin();
    for (Record record : records) {
      encoder.addAtDelta(
          (int) (record.offset() - baseOffset), record.timestamp(), record.key(), record.value(), record.headers());
    }
    return encoder.finish(baseOffset, leaderEpoch);
  }

  static List<Record> read(RecordBatchDecoder decoder, ByteBuffer buffer) {
    RecordBatch batch = new RecordBatch().wrap(buffer, buffer.position());
    batch.ensureValid(SOMEWHERE, 0);
    List<Record> records = new ArrayList<>();
    decoder.open(batch);
    while (decoder.next()) {
      records.add(decoder.record());
    }
    return records;
  }
}
