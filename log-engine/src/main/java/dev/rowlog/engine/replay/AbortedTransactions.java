package dev.rowlog.engine.replay;

import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.record.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The transactions that were aborted in a log that Kafka wrote, from its {@code .txnindex} files. Immutable.
 *
 * <p>A producer has one transaction at a time, so that its batches between the first offset and the marker are all of that transaction.
 */
record AbortedTransactions(List<Aborted> transactions) {
  static final AbortedTransactions NONE = new AbortedTransactions(List.of());

  /** version i16, producer id i64, first offset i64, last offset i64, last stable offset i64 (Kafka {@code AbortedTxn}). */
  private static final int ENTRY_BYTES = 34;

  /**
   * @param firstOffset inclusive
   * @param lastOffset the abort marker's
   */
  record Aborted(long producerId, long firstOffset, long lastOffset) {}

  AbortedTransactions {
    transactions = List.copyOf(transactions);
  }

  /**
   * @param index the bytes of one {@code .txnindex}
   */
  static List<Aborted> parse(byte[] index, Path file) {
    if (index.length % ENTRY_BYTES != 0) {
      throw new CorruptLogException(
          file, -1, "a transaction index has entries of " + ENTRY_BYTES + " bytes, found " + index.length + " bytes");
    }
    List<Aborted> aborted = new ArrayList<>();
    ByteBuffer entries = ByteBuffer.wrap(index);
    while (entries.hasRemaining()) {
      short version = entries.getShort();
      if (version != 0) {
        throw new UnsupportedFormatException(file + ": transaction index entry version " + version + ", only 0 is known");
      }
      aborted.add(new Aborted(entries.getLong(), entries.getLong(), entries.getLong()));
      entries.getLong();
    }
    return aborted;
  }

  /** True where the batch's records were never committed. */
  boolean contains(RecordBatch batch) {
    if (transactions.isEmpty() || !batch.attributes().isTransactional()) {
      return false;
    }
    for (Aborted aborted : transactions) {
      if (aborted.producerId == batch.producerId() && aborted.firstOffset <= batch.baseOffset()
          && batch.lastOffset() <= aborted.lastOffset) {
        return true;
      }
    }
    return false;
  }
}
