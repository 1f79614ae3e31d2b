package dev.rowlog.engine.cleaner.pass;

import dev.rowlog.engine.cleaner.io.CheckedBatches;
import dev.rowlog.engine.cleaner.io.PassIo;
import dev.rowlog.engine.cleaner.map.KeyGroup;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.segment.Segment;

/** How much of the offset map's budget long keys will need, told from the first records of a segment. */
final class LongKeySample {
  private static final int RECORDS = 256;

  private LongKeySample() {}

  /** Bytes that a key takes in the arena, on average over the first records: 0 where no key is long. */
  static int meanBytes(Segment segment, CheckedBatches batches, PassIo io) {
    long bytes = 0;
    int records = 0;
    batches.open(segment, 0, io);
    while (records < RECORDS && batches.next()) {
      if (batches.isTransactional()) {
        continue;
      }
      try {
        RecordBatchDecoder decoder = batches.records();
        while (records < RECORDS && decoder.next()) {
          records++;
          bytes += decoder.keyLength() > KeyGroup.INLINE_BYTES ? decoder.keyLength() : 0;
        }
      } catch (InvalidRecordException e) {
        throw batches.corrupt(e);
      }
    }
    return records == 0 ? 0 : (int) ((bytes + records - 1) / records);
  }
}
