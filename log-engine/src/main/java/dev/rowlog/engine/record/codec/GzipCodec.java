package dev.rowlog.engine.record.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** RFC 1952 by the JDK's own streams, as in Kafka {@code GzipCompression}. Any thread. */
public final class GzipCodec {
  private static final int CHUNK_BYTES = 8 * 1024;

  private GzipCodec() {}

  public static void compress(ByteBuffer source, GrowableBuffer target) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (OutputStream gzip = new GZIPOutputStream(new BufferOutputStream(target), CHUNK_BYTES)) {
      while (source.hasRemaining()) {
        int count = Math.min(chunk.length, source.remaining());
        source.get(chunk, 0, count);
        gzip.write(chunk, 0, count);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void decompress(ByteBuffer source, PlainOutput output) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (InputStream gzip = new GZIPInputStream(new BufferInputStream(source), CHUNK_BYTES)) {
      for (int count = gzip.read(chunk); count >= 0; count = gzip.read(chunk)) {
        output.reserveExactly(count).put(chunk, 0, count);
      }
    } catch (IOException e) {
      throw output.malformed(e.toString());
    }
  }

  private static final class BufferOutputStream extends OutputStream {
    private final GrowableBuffer target;

    BufferOutputStream(GrowableBuffer target) {
      this.target = target;
    }

    @Override
    public void write(int b) {
      target.ensureRemaining(1).put((byte) b);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) {
      target.ensureRemaining(count).put(bytes, offset, count);
    }
  }

  private static final class BufferInputStream extends InputStream {
    private final ByteBuffer source;

    BufferInputStream(ByteBuffer source) {
      this.source = source;
    }

    @Override
    public int read() {
      return source.hasRemaining() ? source.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) {
      if (!source.hasRemaining()) {
        return count == 0 ? 0 : -1;
      }
      int read = Math.min(count, source.remaining());
      source.get(bytes, offset, read);
      return read;
    }

    @Override
    public int available() {
      return source.remaining();
    }
  }
}
