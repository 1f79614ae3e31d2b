package dev.rowlog.engine.record.codec;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * The LZ4 frame format as Kafka writes it ({@code Lz4BlockOutputStream}): independent blocks of 64 KiB, no checksums
 * but the header's. Frames with larger independent blocks, a content size or checksums are read too. Little-endian.
 * Any thread.
 */
public final class Lz4Codec {
  private static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
  private static final LZ4SafeDecompressor DECOMPRESSOR = LZ4Factory.fastestInstance().safeDecompressor();
  private static final XXHash32 HASH = XXHashFactory.fastestInstance().hash32();

  private static final int MAGIC = 0x184D2204;
  private static final int BLOCK_BYTES = 64 * 1024;
  private static final int STORED_BLOCK = 0x8000_0000;
  private static final int END_MARK = 0;

  /** FLG: version 1, independent blocks. */
  private static final byte WRITTEN_FLAGS = 0x60;

  /** BD: blocks of up to 64 KiB. */
  private static final byte WRITTEN_BLOCK_SIZE = 0x40;

  /** Second byte of xxHash32 over the two bytes above. */
  private static final byte WRITTEN_HEADER_CHECKSUM = (byte) 0x82;

  private static final int WRITTEN_HEADER_BYTES = Integer.BYTES + 3;

  private static final int FLAG_DICTIONARY = 0x01;
  private static final int FLAG_CONTENT_CHECKSUM = 0x04;
  private static final int FLAG_CONTENT_SIZE = 0x08;
  private static final int FLAG_BLOCK_CHECKSUM = 0x10;
  private static final int FLAG_INDEPENDENT = 0x20;
  private static final int VERSION_SHIFT = 6;

  /** 4 stands for 64 KiB, each one more for four times as much, up to 7. */
  private static final int MIN_BLOCK_SIZE_ID = 4;

  private Lz4Codec() {}

  public static void compress(ByteBuffer source, GrowableBuffer target) {
    ByteBuffer out = target.ensureRemaining(WRITTEN_HEADER_BYTES);
    out.putInt(Integer.reverseBytes(MAGIC)).put(WRITTEN_FLAGS).put(WRITTEN_BLOCK_SIZE).put(WRITTEN_HEADER_CHECKSUM);
    while (source.hasRemaining()) {
      compressBlock(source, Math.min(BLOCK_BYTES, source.remaining()), target);
    }
    target.ensureRemaining(Integer.BYTES).putInt(END_MARK);
  }

  private static void compressBlock(ByteBuffer source, int plain, GrowableBuffer target) {
    int room = COMPRESSOR.maxCompressedLength(plain);
    ByteBuffer out = target.ensureRemaining(Integer.BYTES + room);
    int start = out.position() + Integer.BYTES;
    int size = COMPRESSOR.compress(source, source.position(), plain, out, start, room);
    if (size < plain) {
      out.putInt(Integer.reverseBytes(size)).position(start + size);
    } else {
      out.putInt(Integer.reverseBytes(plain | STORED_BLOCK));
      out.put(start, source, source.position(), plain).position(start + plain);
    }
    source.position(source.position() + plain);
  }

  public static void decompress(ByteBuffer source, PlainOutput output) {
    Frame frame = readHeader(source, output);
    while (true) {
      int word = littleEndianInt(source, output);
      if (word == END_MARK) {
        break;
      }
      decompressBlock(source, word, frame, output);
    }
    if (frame.contentChecksum()) {
      // The CRC of the batch covers these bytes as well.
      littleEndianInt(source, output);
    }
    if (source.hasRemaining()) {
      throw output.malformed(source.remaining() + " bytes follow the end of the frame");
    }
  }

  private static void decompressBlock(ByteBuffer source, int word, Frame frame, PlainOutput output) {
    int size = word & ~STORED_BLOCK;
    int trailer = frame.blockChecksum() ? Integer.BYTES : 0;
    if (size > frame.blockBytes() || size > source.remaining() - trailer) {
      throw output.malformed("a block of " + size + " bytes where " + source.remaining() + " are left");
    }
    int start = source.position();
    if ((word & STORED_BLOCK) != 0) {
      ByteBuffer out = output.reserveExactly(size);
      out.put(out.position(), source, start, size).position(out.position() + size);
    } else {
      ByteBuffer out = output.reserveUpTo(frame.blockBytes());
      int room = Math.min(frame.blockBytes(), out.remaining());
      try {
        int plain = DECOMPRESSOR.decompress(source, start, size, out, out.position(), room);
        out.position(out.position() + plain);
      } catch (LZ4Exception e) {
        throw output.malformed("a block does not decode to at most " + room + " bytes (" + e.getMessage() + ")");
      }
    }
    source.position(start + size + trailer);
  }

  private record Frame(int blockBytes, boolean blockChecksum, boolean contentChecksum) {}

  private static Frame readHeader(ByteBuffer source, PlainOutput output) {
    if (source.remaining() < WRITTEN_HEADER_BYTES) {
      throw output.malformed("the frame header is cut short");
    }
    int magic = littleEndianInt(source, output);
    if (magic != MAGIC) {
      throw output.malformed("the frame magic is 0x" + Integer.toHexString(magic));
    }
    int descriptor = source.position();
    int flags = source.get() & 0xff;
    int blockSizeId = source.get() >> 4 & 7;
    boolean readable = flags >> VERSION_SHIFT == 1 && (flags & FLAG_INDEPENDENT) != 0 && (flags & FLAG_DICTIONARY) == 0;
    if (!readable || blockSizeId < MIN_BLOCK_SIZE_ID) {
      throw output.malformed(
          "frame flags 0x" + Integer.toHexString(flags) + " with block size " + blockSizeId + " are not supported");
    }
    if ((flags & FLAG_CONTENT_SIZE) != 0) {
      if (source.remaining() < Long.BYTES + 1) {
        throw output.malformed("the frame header is cut short");
      }
      source.position(source.position() + Long.BYTES);
    }
    int hash = HASH.hash(source, descriptor, source.position() - descriptor, 0);
    if ((byte) (hash >> 8) != source.get()) {
      throw output.malformed("the frame header's checksum does not match");
    }
    int blockBytes = 1 << 2 * blockSizeId + 8;
    return new Frame(blockBytes, (flags & FLAG_BLOCK_CHECKSUM) != 0, (flags & FLAG_CONTENT_CHECKSUM) != 0);
  }

  private static int littleEndianInt(ByteBuffer source, PlainOutput output) {
    if (source.remaining() < Integer.BYTES) {
      throw output.malformed("the frame ends without its end mark");
    }
    return Integer.reverseBytes(source.getInt());
  }
}
