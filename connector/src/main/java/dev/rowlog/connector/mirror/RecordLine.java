package dev.rowlog.connector.mirror;

import dev.rowlog.engine.record.Record;
import java.nio.charset.StandardCharsets;

/** A committed record in one line for people: {@code → topic @offset  key  value}. */
public final class RecordLine {
  private RecordLine() {}

  /** @param width characters at most; what is cut off ends in an ellipsis */
  public static String of(CommittedRecord committed, int width) {
    Record entry = committed.record();
    String head = "→ " + committed.topic() + " @" + entry.offset() + "  " + text(entry.key()) + "  ";
    return cut(head + (entry.isTombstone() ? "✝ tombstone" : text(entry.value())), width);
  }

  /** The text, or its beginning with an ellipsis as its last character. */
  public static String cut(String text, int width) {
    return text.codePointCount(0, text.length()) <= width
        ? text
        : text.substring(0, text.offsetByCodePoints(0, width - 1)) + "…";
  }

  /** Line ends are outside strings in JSON. */
  private static String text(byte[] bytes) {
    return bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8).replaceAll("[\\r\\n]", " ");
  }
}
