package dev.rowlog.engine.segment;

import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** A message of format version 0 or 1 (Kafka before 0.11): a CRC-32 before the magic byte, over all that follows it. */
final class LegacyMessage {
  private static final int CRC = RecordBatchLayout.LOG_OVERHEAD;
  private static final int MAGIC = CRC + Integer.BYTES;

  private LegacyMessage() {}

  /** True where the bytes are a whole message of an old format, and not a batch of ours that lost some. */
  static boolean isValid(RecordBatch batch) {
    ByteBuffer bytes = batch.buffer().duplicate().clear();
    CRC32 crc = new CRC32();
    crc.update(bytes.limit(batch.start() + batch.sizeBytes()).position(batch.start() + MAGIC));
    return (int) crc.getValue() == batch.buffer().getInt(batch.start() + CRC);
  }
}
