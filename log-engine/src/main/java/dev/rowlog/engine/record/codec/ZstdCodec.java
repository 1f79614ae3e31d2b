package dev.rowlog.engine.record.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.rowlog.engine.error.RecordTooLargeException;
import java.nio.ByteBuffer;

/** Zstandard frames at the library's default level, as in Kafka {@code ZstdCompression}. Any thread. */
public final class ZstdCodec {
  private static final NativePool<ZstdCompressCtx> COMPRESSORS = new NativePool<>(ZstdCompressCtx::new,
      ZstdCompressCtx::close);
  private static final NativePool<ZstdDecompressCtx> DECOMPRESSORS = new NativePool<>(ZstdDecompressCtx::new,
      ZstdDecompressCtx::close);

  /** Room asked for at a time: the largest block of a frame. */
  private static final int STEP_BYTES = 128 * 1024;

  private ZstdCodec() {}

  public static void compress(ByteBuffer source, GrowableBuffer target) {
    long bound = Zstd.compressBound(source.remaining());
    if (bound > GrowableBuffer.MAX_BYTES) {
      throw new RecordTooLargeException("a batch on its way to be compressed", bound, GrowableBuffer.MAX_BYTES);
    }
    ByteBuffer out = target.ensureRemaining((int) bound);
    int size = COMPRESSORS.use(
        context -> context.compressDirectByteBuffer(
            out, out.position(), out.remaining(), source, source.position(), source.remaining()));
    out.position(out.position() + size);
  }

  public static void decompress(ByteBuffer source, PlainOutput output) {
    try {
      DECOMPRESSORS.use(context -> decompressFrames(context, source, output));
    } catch (ZstdException e) {
      throw output.malformed(e.getMessage());
    }
  }

  /** Frame after frame, as far as the source goes. */
  private static int decompressFrames(ZstdDecompressCtx context, ByteBuffer source, PlainOutput output) {
    boolean frameEnded;
    do {
      ByteBuffer out = output.reserveUpTo(STEP_BYTES);
      int sourceBefore = source.position();
      int outBefore = out.position();
      frameEnded = context.decompressDirectByteBufferStream(out, source);
      if (!frameEnded && source.position() == sourceBefore && out.position() == outBefore) {
        throw out.hasRemaining() ? output.malformed("the frame is cut short") : output.tooLarge();
      }
    } while (!frameEnded || source.hasRemaining());
    return source.position();
  }
}
