package dev.rowlog.engine.record;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Records of every shape: tombstones, null keys, empty values, headers without value, offset gaps, times that go back.
 */
final class RandomRecords {
  private static final HexFormat HEX = HexFormat.of();

  private RandomRecords() {}

  /** At least one record; the first lies at {@code baseOffset}. */
  static List<Record> next(Random random, long baseOffset) {
    int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 400 : 20);
    List<Record> records = new ArrayList<>(count);
    long offset = baseOffset;
    for (int i = 0; i < count; i++) {
      records.add(
          new Record(
              offset,
              random.nextInt(8) == 0 ? random.nextInt(1_000_000) : 1_700_000_000_000L + random.nextInt(100_000),
              random.nextInt(8) == 0 ? null : bytes(random, 40),
              random.nextInt(5) == 0 ? null : bytes(random, random.nextInt(30) == 0 ? 200_000 : 300),
              headers(random)));
      offset += random.nextInt(4) == 0 ? 1 + random.nextInt(100_000) : 1;
    }
    return records;
  }

  private static List<Header> headers(Random random) {
    List<Header> headers = new ArrayList<>();
    for (int left = random.nextInt(3) == 0 ? random.nextInt(5) : 0; left > 0; left--) {
      headers.add(new Header("größe-" + random.nextInt(100), random.nextInt(3) == 0 ? null : bytes(random, 20)));
    }
    return headers;
  }

  private static byte[] bytes(Random random, int bound) {
    byte[] bytes = new byte[random.nextInt(bound)];
    if (random.nextBoolean()) {
      random.nextBytes(bytes);
      return bytes;
    }
    byte[] text = ("{\"id\":" + random.nextInt(1000) + ",\"name\":\"ann\"}").getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = text[i % text.length];
    }
    return bytes;
  }

  /** Every field as text, for comparison and for a failure's message. */
  static List<String> describe(List<Record> records) {
    return records.stream().map(RandomRecords::describe).toList();
  }

  private static String describe(Record record) {
    StringBuilder text = new StringBuilder();
    text.append(record.offset()).append('@').append(record.timestamp());
    text.append(' ').append(hex(record.key())).append('=').append(hex(record.value()));
    record.headers().forEach(header -> text.append(' ').append(header.key()).append(':').append(hex(header.value())));
    return text.toString();
  }

  private static String hex(byte[] bytes) {
    return bytes == null ? "null" : HEX.formatHex(bytes);
  }
}
