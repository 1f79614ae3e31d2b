package dev.rowlog.engine.segment.index;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.error.CorruptLogException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The aborted transactions of a segment that Kafka wrote: entries of 34 bytes, in the order of their markers (Kafka
 * {@code TransactionIndex}). We write none: our records are in no transaction of Kafka's.
 */
public final class TransactionIndex {
  public static final int ENTRY_BYTES = 34;
  private static final short VERSION = 0;

  private TransactionIndex() {}

  /**
   * Empty where the file is missing.
   *
   * @throws CorruptLogException where an entry is cut or of another version
   */
  public static List<AbortedTransaction> read(Disk disk, Path file) {
    if (!disk.exists(file)) {
      return List.of();
    }
    ByteBuffer bytes = ByteBuffer.wrap(disk.readAll(file));
    List<AbortedTransaction> aborted = new ArrayList<>();
    while (bytes.hasRemaining()) {
      int position = bytes.position();
      if (bytes.remaining() < ENTRY_BYTES) {
        throw new CorruptLogException(
            file, position, "an entry has " + ENTRY_BYTES + " bytes, only " + bytes.remaining() + " are left");
      }
      short version = bytes.getShort();
      if (version != VERSION) {
        throw new CorruptLogException(file, position, "entry version " + version + ", expected " + VERSION);
      }
      aborted.add(new AbortedTransaction(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong()));
    }
    return aborted;
  }

  /** The bytes of one entry, as {@link #read} takes them. */
  public static byte[] encode(AbortedTransaction transaction) {
    return ByteBuffer.allocate(ENTRY_BYTES)
        .putShort(VERSION)
        .putLong(transaction.producerId())
        .putLong(transaction.firstOffset())
        .putLong(transaction.lastOffset())
        .putLong(transaction.lastStableOffset())
        .array();
  }
}
