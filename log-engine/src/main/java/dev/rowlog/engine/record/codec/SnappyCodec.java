package dev.rowlog.engine.record.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;

/**
 * Snappy in the stream framing of snappy-java (Kafka {@code SnappyCompression}): a magic of 8 bytes, two versions,
 * then blocks of a length and the raw form of up to 32 KiB. Some other clients write one raw block without framing; it
 * is read too. Any thread.
 */
public final class SnappyCodec {
  /** 0x82 "SNAPPY" 0x00. */
  private static final long MAGIC = 0x82534e4150505900L;

  private static final int VERSION = 1;
  private static final int HEADER_BYTES = Long.BYTES + 2 * Integer.BYTES;
  private static final int BLOCK_BYTES = 32 * 1024;

  /** No snappy element makes more than 64 bytes of 2. */
  private static final int MAX_RATIO = 32;

  private SnappyCodec() {}

  public static void compress(ByteBuffer source, GrowableBuffer target) {
    target.ensureRemaining(HEADER_BYTES).putLong(MAGIC).putInt(VERSION).putInt(VERSION);
    int end = source.limit();
    while (source.position() < end) {
      int count = Math.min(BLOCK_BYTES, end - source.position());
      source.limit(source.position() + count);
      ByteBuffer out = target.ensureRemaining(Integer.BYTES + Snappy.maxCompressedLength(count));
      int lengthPosition = out.position();
      out.position(lengthPosition + Integer.BYTES);
      try {
        int compressed = Snappy.compress(source, out);
        out.limit(out.capacity());
        out.putInt(lengthPosition, compressed).position(lengthPosition + Integer.BYTES + compressed);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      source.position(source.limit()).limit(end);
    }
  }

  public static void decompress(ByteBuffer source, PlainOutput output) {
    if (source.remaining() < HEADER_BYTES || source.getLong(source.position()) != MAGIC) {
      decompressBlock(source, output);
      return;
    }
    int compatibleVersion = source.getInt(source.position() + Long.BYTES + Integer.BYTES);
    if (compatibleVersion != VERSION) {
      throw output.malformed("stream version " + compatibleVersion + ", expected " + VERSION);
    }
    source.position(source.position() + HEADER_BYTES);
    int end = source.limit();
    while (source.position() < end) {
      if (end - source.position() < Integer.BYTES) {
        throw output.malformed("a block length is cut short");
      }
      int length = source.getInt();
      if (length <= 0 || length > end - source.position()) {
        throw output.malformed("a block of " + length + " bytes where " + (end - source.position()) + " are left");
      }
      decompressBlock(source.limit(source.position() + length), output);
      source.limit(end);
    }
  }

  /** The source's remaining bytes are one raw block. */
  private static void decompressBlock(ByteBuffer source, PlainOutput output) {
    try {
      int plain = Snappy.uncompressedLength(source);
      if (plain < 0 || plain > (long) MAX_RATIO * source.remaining()) {
        throw output.malformed("a block of " + source.remaining() + " bytes claims to hold " + plain);
      }
      ByteBuffer out = output.reserveExactly(plain);
      int written = Snappy.uncompress(source, out);
      out.limit(out.capacity()).position(out.position() + written);
      source.position(source.limit());
    } catch (IOException e) {
      throw output.malformed(e.toString());
    }
  }
}
