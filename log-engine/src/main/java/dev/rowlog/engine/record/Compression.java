package dev.rowlog.engine.record;

import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.RecordTooLargeException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.record.codec.GrowableBuffer;
import dev.rowlog.engine.record.codec.GzipCodec;
import dev.rowlog.engine.record.codec.Lz4Codec;
import dev.rowlog.engine.record.codec.PlainOutput;
import dev.rowlog.engine.record.codec.SnappyCodec;
import dev.rowlog.engine.record.codec.ZstdCodec;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * The codecs of the batch format, with the ids of its attribute bits 0 to 2 (Kafka {@code CompressionType}). Any
 * thread.
 *
 * <p>The bytes are those that Kafka's own classes write and read, at each codec's default level. Source buffers are
 * direct on the fast path; others are copied first.
 */
public enum Compression {
  NONE(0),
  GZIP(1),
  SNAPPY(2),
  LZ4(3),
  ZSTD(4);

  private static final Compression[] BY_ID = values();

  private final int id;
  private final String configName = name().toLowerCase(Locale.ROOT);

  Compression(int id) {
    this.id = id;
  }

  public int id() {
    return id;
  }

  /** Kafka's name in {@code compression.type}: lower case. */
  public String configName() {
    return configName;
  }

  /**
   * @throws UnsupportedFormatException for an id outside 0 to 4
   */
  public static Compression forId(int id) {
    if (id < 0 || id >= BY_ID.length) {
      throw new UnsupportedFormatException(
          "compression codec " + id + " is unknown, expected 0 to " + (BY_ID.length - 1));
    }
    return BY_ID[id];
  }

  /**
   * Appends the compressed form of {@code source} (position to limit, consumed) at {@code target}'s position.
   *
   * @throws RecordTooLargeException where the result would pass what a Java buffer holds
   */
  public void compress(ByteBuffer source, GrowableBuffer target) {
    ByteBuffer direct = direct(source);
    switch (this) {
      case NONE -> target.ensureRemaining(direct.remaining()).put(direct);
      case GZIP -> GzipCodec.compress(direct, target);
      case SNAPPY -> SnappyCodec.compress(direct, target);
      case LZ4 -> Lz4Codec.compress(direct, target);
      case ZSTD -> ZstdCodec.compress(direct, target);
    }
    source.position(source.limit());
  }

  /**
   * Appends the plain form of {@code source} (position to limit, consumed) at {@code target}'s position.
   *
   * <p>The target grows with the plain bytes as they come, never by a size that the source merely claims. After a
   * failure the positions of both are undefined.
   *
   * @param maxBytes plain bytes at which to give up: a bound against decompression bombs
   * @throws InvalidRecordException where the bytes are not of this codec or larger than allowed
   */
  public void decompress(ByteBuffer source, GrowableBuffer target, int maxBytes) {
    PlainOutput output = new PlainOutput(configName, target, maxBytes);
    ByteBuffer direct = direct(source);
    switch (this) {
      case NONE -> output.reserveExactly(direct.remaining()).put(direct);
      case GZIP -> GzipCodec.decompress(direct, output);
      case SNAPPY -> SnappyCodec.decompress(direct, output);
      case LZ4 -> Lz4Codec.decompress(direct, output);
      case ZSTD -> ZstdCodec.decompress(direct, output);
    }
    source.position(source.limit());
  }

  private static ByteBuffer direct(ByteBuffer source) {
    return source.isDirect() ? source : ByteBuffer.allocateDirect(source.remaining()).put(source).flip();
  }
}
