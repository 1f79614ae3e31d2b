package dev.rowlog.engine.record;

/** Where each field of a version 2 batch lies, in bytes from its start; big-endian (docs/format/record-batch.md). */
public final class RecordBatchLayout {
  public static final int BASE_OFFSET = 0;
  public static final int BATCH_LENGTH = BASE_OFFSET + Long.BYTES;
  public static final int PARTITION_LEADER_EPOCH = BATCH_LENGTH + Integer.BYTES;
  public static final int MAGIC = PARTITION_LEADER_EPOCH + Integer.BYTES;
  public static final int CRC = MAGIC + Byte.BYTES;
  /** The CRC covers from here to the end: the leader epoch may be set on arrival without computing it again. */
  public static final int ATTRIBUTES = CRC + Integer.BYTES;
  public static final int LAST_OFFSET_DELTA = ATTRIBUTES + Short.BYTES;
  public static final int BASE_TIMESTAMP = LAST_OFFSET_DELTA + Integer.BYTES;
  public static final int MAX_TIMESTAMP = BASE_TIMESTAMP + Long.BYTES;
  public static final int PRODUCER_ID = MAX_TIMESTAMP + Long.BYTES;
  public static final int PRODUCER_EPOCH = PRODUCER_ID + Long.BYTES;
  public static final int BASE_SEQUENCE = PRODUCER_EPOCH + Short.BYTES;
  public static final int RECORD_COUNT = BASE_SEQUENCE + Integer.BYTES;
  public static final int RECORDS = RECORD_COUNT + Integer.BYTES;

  /** Size of a batch without records: what keeps the log end where every record is gone. */
  public static final int HEADER_SIZE = RECORDS;

  /** Bytes before and including the batch length: {@code batchLength = size - LOG_OVERHEAD}. */
  public static final int LOG_OVERHEAD = BATCH_LENGTH + Integer.BYTES;

  public static final byte MAGIC_V2 = 2;

  /** Readable bytes behind a batch, or its plain records, in a buffer: a key's end is loaded in words of 8 bytes. */
  public static final int SPARE_BYTES = 64;

  /** Largest batch: with its spare bytes it fits a Java buffer, so that what is written can be read. */
  public static final int MAX_BATCH_BYTES = Integer.MAX_VALUE - 8 - SPARE_BYTES;

  private RecordBatchLayout() {}
}
