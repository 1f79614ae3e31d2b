package dev.rowlog.engine.record;

import java.nio.ByteBuffer;

/**
 * The codecs of the batch format, with the ids of its attribute bits 0 to 2 (Kafka {@code CompressionType}).
 */
public enum Compression {
  NONE(0),
  GZIP(1),
  SNAPPY(2),
  LZ4(3),
  ZSTD(4);

  private final int id;

  Compression(int id) {
    this.id = id;
  }

  public int id() {
    return id;
  }

  /** Kafka's name in {@code compression.type}: lower case. */
  public String configName() {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * @throws dev.rowlog.engine.error.UnsupportedFormatException for an id outside 0 to 4
   */
  public static Compression forId(int id) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Appends the compressed form of {@code source} (position to limit, consumed) at {@code target}'s position. */
  public void compress(ByteBuffer source, GrowableBuffer target) {
    throw new UnsupportedOperationException("skeleton");
  }

  /**
   * Appends the plain form of {@code source} (position to limit, consumed) at {@code target}'s position.
   *
   * @param maxBytes plain bytes at which to give up: a bound against decompression bombs
   * @throws dev.rowlog.engine.error.InvalidRecordException where the bytes are not of this codec or larger than allowed
   */
  public void decompress(ByteBuffer source, GrowableBuffer target, int maxBytes) {
    throw new UnsupportedOperationException("skeleton");
  }
}
