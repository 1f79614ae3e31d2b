package dev.rowlog.engine.cleaner.pass;

import dev.rowlog.engine.cleaner.io.CheckedBatches;
import dev.rowlog.engine.cleaner.map.KeyGroup;
import dev.rowlog.engine.cleaner.map.KeyHash;
import dev.rowlog.engine.cleaner.map.OffsetMap;
import dev.rowlog.engine.cleaner.map.SurvivorBits;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.record.codec.GrowableBuffer;

/**
 * Everything large that a cleaner holds, reused from pass to pass: bounded by {@code
 * log.cleaner.dedupe.buffer.size} (an eighth of it for the bits of records, the rest for keys) and by the largest
 * batch. One thread.
 */
public final class CleanerMemory {
  /** Bits that are there whatever the budget. */
  private static final long MIN_RECORDS = 8192;

  private static final long MAX_RECORDS = Integer.MAX_VALUE - 8L;

  private static final int INITIAL_PLAIN_BYTES = 16 << 10;

  private final OffsetMap map;
  private final KeyGroup group;
  private final SurvivorBits survivors = new SurvivorBits();
  private final SurvivorBits segmentSurvivors = new SurvivorBits();
  private final CheckedBatches batches;
  private final GrowableBuffer output;
  private final GrowableBuffer plain = new GrowableBuffer(INITIAL_PLAIN_BYTES);
  private final long maxRecords;
  private final int bufferBytes;

  public CleanerMemory(CleanerConfig config, KeyHash keyHash) {
    long bitBytes = config.dedupeBufferSize() / Byte.SIZE;
    map = new OffsetMap(keyHash, config.dedupeBufferSize() - bitBytes, config.ioBufferLoadFactor());
    group = new KeyGroup(keyHash);
    maxRecords = Math.min(MAX_RECORDS, Math.max(MIN_RECORDS, bitBytes * Byte.SIZE));
    bufferBytes = Math.max(1, config.ioBufferSize() / 2);
    batches = new CheckedBatches(bufferBytes);
    output = new GrowableBuffer(bufferBytes);
  }

  /** The newest record of each key of the dirty part. */
  public OffsetMap map() {
    return map;
  }

  public KeyGroup group() {
    return group;
  }

  /** Bits of the dirty part's records. */
  public SurvivorBits survivors() {
    return survivors;
  }

  /** Bits of the records of one segment that begins below the first dirty offset. */
  public SurvivorBits segmentSurvivors() {
    return segmentSurvivors;
  }

  public CheckedBatches batches() {
    return batches;
  }

  /** Batches on their way to a segment. */
  public GrowableBuffer output() {
    return output;
  }

  /** Records of one batch before compression. */
  public GrowableBuffer plain() {
    return plain;
  }

  /** Size of reads, and of writes where batches are not larger. */
  public int bufferBytes() {
    return bufferBytes;
  }

  /** Records of the dirty part that one pass takes. */
  public long maxRecords() {
    return maxRecords;
  }
}
