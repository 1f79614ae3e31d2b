package dev.rowlog.connector.sink;

import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatchDecoder;
import java.nio.ByteBuffer;

/**
 * The newest row of a key in one log, what is not committed included (D5): a TOASTed value that an update left alone is taken from it.
 *
 * <p>Its index, key to offset, is made by one scan of the log when the first row is asked for, and kept up from then on: tables that never ask pay nothing.
 * A cut of the log drops it. Offsets survive cleaning. One thread, the one that appends.
 */
final class LastRows {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final TableWriter writer;
  private KeyOffsets offsets;

  LastRows(TableWriter writer) {
    this.writer = writer;
  }

  /** A record got its offset. */
  void added(Record record, long offset) {
    if (offsets == null) {
      return;
    }
    try {
      put(offsets, hash(ByteBuffer.wrap(record.key())), record.isTombstone(), offset);
    } catch (OutOfMemoryError e) {
      // Direct memory: the next one who asks hears of it.
      offsets = null;
    }
  }

  /** The log was cut. */
  void cut() {
    offsets = null;
  }

  /**
   * The value as it was written; null where the key has no row.
   *
   * @throws OutOfMemoryError where the index finds no direct memory
   */
  byte[] find(byte[] key) {
    // A record in a batch that is being filled cannot be read.
    writer.flush();
    if (offsets == null) {
      offsets = index();
    }
    long offset = offsets.get(hash(ByteBuffer.wrap(key)));
    byte[][] found = {null};
    boolean[] same = {false};
    if (offset != KeyOffsets.NONE) {
      AppendedRecords.scan(writer.log(), offset, offset + 1, record -> {
        same[0] = isKey(record, key);
        found[0] = value(record);
        return false;
      });
    }
    return same[0] ? found[0] : scan(key);
  }

  /** Where another key has the same hash, its record may have taken the place: only the log knows. */
  private byte[] scan(byte[] key) {
    byte[][] found = {null};
    AppendedRecords.scan(writer.log(), 0, writer.log().logEndOffset(), record -> {
      if (isKey(record, key)) {
        found[0] = value(record);
      }
      return true;
    });
    return found[0];
  }

  private KeyOffsets index() {
    KeyOffsets index = new KeyOffsets();
    PartitionLog log = writer.log();
    AppendedRecords.scan(log, 0, log.logEndOffset(), record -> {
      ByteBuffer key = record.data().duplicate();
      key.limit(record.keyPosition() + Math.max(0, record.keyLength())).position(record.keyPosition());
      put(index, hash(key), record.valueLength() < 0, record.offset());
      return true;
    });
    return index;
  }

  private static void put(KeyOffsets index, long hash, boolean tombstone, long offset) {
    if (tombstone) {
      index.remove(hash);
    } else {
      index.put(hash, offset);
    }
  }

  private static boolean isKey(RecordBatchDecoder record, byte[] key) {
    if (record.keyLength() != key.length) {
      return false;
    }
    ByteBuffer data = record.data();
    for (int i = 0; i < key.length; i++) {
      if (data.get(record.keyPosition() + i) != key[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] value(RecordBatchDecoder record) {
    if (record.valueLength() < 0) {
      return null;
    }
    byte[] value = new byte[record.valueLength()];
    record.data().get(record.valuePosition(), value);
    return value;
  }

  /** Never zero. Eight bytes a step, then the finalizer of MurmurHash3. */
  static long hash(ByteBuffer key) {
    long h = key.remaining() * MULTIPLIER;
    int i = key.position();
    for (; i + 8 <= key.limit(); i += 8) {
      h = Long.rotateLeft((h ^ key.getLong(i)) * MULTIPLIER, 29);
    }
    for (; i < key.limit(); i++) {
      h = (h ^ key.get(i) & 0xFF) * MULTIPLIER;
    }
    h = (h ^ h >>> 33) * 0xFF51AFD7ED558CCDL;
    h = (h ^ h >>> 33) * 0xC4CEB9FE1A85EC53L;
    h ^= h >>> 33;
    return h == 0 ? 1 : h;
  }
}
