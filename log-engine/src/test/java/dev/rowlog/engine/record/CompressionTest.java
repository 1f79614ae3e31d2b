package dev.rowlog.engine.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdCompressCtx;
import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.record.codec.GrowableBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

class CompressionTest {
  private static final int MIB = 1024 * 1024;

  private static byte[] halfRandom(int size, Random random) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    Arrays.fill(bytes, 0, size / 2, (byte) 'a');
    return bytes;
  }

  private static byte[] compress(Compression codec, byte[] plain) {
    GrowableBuffer target = new GrowableBuffer(16);
    codec.compress(ByteBuffer.wrap(plain), target);
    return bytes(target);
  }

  private static byte[] decompress(Compression codec, byte[] compressed, int maxBytes) {
    GrowableBuffer target = new GrowableBuffer(16);
    ByteBuffer source = ByteBuffer.wrap(compressed);
    codec.decompress(source, target, maxBytes);
    assertThat(source.hasRemaining()).isFalse();
    return bytes(target);
  }

  private static byte[] bytes(GrowableBuffer buffer) {
    ByteBuffer view = buffer.buffer().duplicate().flip();
    byte[] bytes = new byte[view.remaining()];
    view.get(bytes);
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveBackThePlainBytesAtEveryBlockBorder(Compression codec) {
    Random random = Seeds.random(1);
    for (int border : new int[]{0, 1, 32 * 1024, 64 * 1024, 128 * 1024, 3 * MIB}) {
      for (int size = Math.max(0, border - 1); size <= border + 1; size++) {
        byte[] plain = halfRandom(size, random);
        assertThat(decompress(codec, compress(codec, plain), size)).as("size %d", size).isEqualTo(plain);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldAppendAtThePositionOfTheTarget(Compression codec) {
    // Given
    GrowableBuffer compressed = new GrowableBuffer(8);
    compressed.buffer().putInt(42);
    GrowableBuffer plain = new GrowableBuffer(8);
    plain.buffer().putInt(43);
    byte[] text = "tombstone".repeat(1000).getBytes(StandardCharsets.US_ASCII);
    ByteBuffer source = ByteBuffer.allocateDirect(text.length + 4).putInt(44).put(text).position(4);
    // When
    codec.compress(source, compressed);
    ByteBuffer packed = compressed.buffer().flip().position(4);
    codec.decompress(packed, plain, text.length);
    // Then
    assertThat(source.hasRemaining()).isFalse();
    assertThat(packed.hasRemaining()).isFalse();
    assertThat(compressed.buffer().getInt(0)).isEqualTo(42);
    assertThat(plain.buffer().getInt(0)).isEqualTo(43);
    assertThat(plain.buffer().flip().position(4)).isEqualTo(ByteBuffer.wrap(text));
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveUpAtTheBoundWithoutAllocatingFarBeyondIt(Compression codec) {
    // Given: 64 MiB of zeros
    byte[] bomb = compress(codec, new byte[64 * MIB]);
    GrowableBuffer target = new GrowableBuffer(16);
    // Then
    assertThatThrownBy(() -> codec.decompress(ByteBuffer.wrap(bomb), target, MIB - 1))
        .isInstanceOf(InvalidRecordException.class);
    assertThat(target.buffer().capacity()).isLessThanOrEqualTo(2 * MIB);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void shouldRefuseEveryPrefix(Compression codec) {
    byte[] compressed = compress(codec, halfRandom(1000, Seeds.random(2)));
    // Snappy's framing has no end mark: its 16 header bytes alone are an empty stream.
    for (int size = 0; size < compressed.length; size += codec == Compression.SNAPPY && size == 15 ? 2 : 1) {
      byte[] prefix = Arrays.copyOf(compressed, size);
      assertThatThrownBy(() -> decompress(codec, prefix, MIB)).as("prefix %d", size)
          .isInstanceOf(InvalidRecordException.class)
          .hasMessageContaining(codec.configName());
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void shouldDecodeOrRefuseWhateverByteIsChanged(Compression codec) {
    Seeds.forEach(2000, random -> {
      byte[] compressed = compress(codec, halfRandom(random.nextInt(2000), random));
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        compressed[random.nextInt(compressed.length)] = (byte) random.nextInt(256);
      }
      GrowableBuffer target = new GrowableBuffer(16);
      try {
        codec.decompress(ByteBuffer.wrap(compressed), target, MIB);
      } catch (InvalidRecordException e) {
        assertThat(e).hasMessageContaining(codec.configName());
      }
      assertThat(target.buffer().capacity()).isLessThanOrEqualTo(2 * MIB);
    });
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void shouldRefuseTheBytesOfAnotherCodec(Compression codec) {
    for (Compression other : Compression.values()) {
      if (other != codec) {
        byte[] compressed = compress(other, halfRandom(500, Seeds.random(3)));
        assertThatThrownBy(() -> decompress(codec, compressed, MIB)).as("%s as %s", other, codec)
            .isInstanceOf(InvalidRecordException.class);
      }
    }
  }

  @Test
  void shouldReadLz4FramesOfOtherWriters() throws IOException {
    byte[] plain = halfRandom(MIB, Seeds.random(4));
    for (LZ4FrameOutputStream.BLOCKSIZE size : LZ4FrameOutputStream.BLOCKSIZE.values()) {
      ByteArrayOutputStream frame = new ByteArrayOutputStream();
      try (OutputStream lz4 = new LZ4FrameOutputStream(
          frame,
          size,
          plain.length,
          LZ4FrameOutputStream.FLG.Bits.BLOCK_INDEPENDENCE,
          LZ4FrameOutputStream.FLG.Bits.CONTENT_SIZE,
          LZ4FrameOutputStream.FLG.Bits.CONTENT_CHECKSUM)) {
        lz4.write(plain);
      }
      assertThat(decompress(Compression.LZ4, frame.toByteArray(), plain.length)).as("%s", size).isEqualTo(plain);
    }
  }

  @Test
  void shouldReadSnappyWithoutFraming() throws IOException {
    byte[] plain = halfRandom(100_000, Seeds.random(5));
    assertThat(decompress(Compression.SNAPPY, Snappy.compress(plain), plain.length)).isEqualTo(plain);
  }

  @Test
  void shouldReadZstdFramesInARow() {
    // Given
    byte[] plain = halfRandom(200_000, Seeds.random(6));
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    try (ZstdCompressCtx context = new ZstdCompressCtx().setChecksum(true)) {
      frames.writeBytes(context.compress(plain));
      frames.writeBytes(context.compress(plain));
    }
    // When
    byte[] read = decompress(Compression.ZSTD, frames.toByteArray(), 2 * plain.length);
    // Then
    assertThat(read).startsWith(plain).endsWith(plain).hasSize(2 * plain.length);
  }

  @Test
  void shouldBelieveNoSizeThatSnappyClaims() {
    byte[] claim = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07, 0, 'x'};
    assertThatThrownBy(() -> decompress(Compression.SNAPPY, claim, RecordBatchDecoder.NO_LIMIT))
        .isInstanceOf(InvalidRecordException.class)
        .hasMessageContaining("snappy");
  }

  @Test
  void shouldHaveTheIdsAndNamesOfKafka() {
    for (Compression codec : Compression.values()) {
      assertThat(KafkaBatches.codec(codec).type().id).isEqualTo((byte) codec.id());
      assertThat(Compression.forId(codec.id())).isSameAs(codec);
    }
    assertThatThrownBy(() -> Compression.forId(5)).isInstanceOf(UnsupportedFormatException.class)
        .hasMessage("compression codec 5 is unknown, expected 0 to 4");
  }
}
