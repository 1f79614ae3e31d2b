package dev.rowlog.connector.mirror;

import dev.rowlog.engine.record.Record;
import java.nio.charset.StandardCharsets;

/** A committed record in one line for people: {@code → topic @offset  key  value}. */
public final class RecordLine {
  /** What a value keeps where the key alone fills the line. */
  private static final int MIN_VALUE = 12;

  private RecordLine() {}

  /** @param width characters at most; what is cut off ends in an ellipsis */
  public static String of(CommittedRecord committed, int width) {
    return of(committed, "", width);
  }

  /**
   * @param column the member of the value that stays whole wherever the rest is cut; empty for none
   */
  public static String of(CommittedRecord committed, String column, int width) {
    Record entry = committed.record();
    String head = "→ " + committed.topic() + " @" + entry.offset() + "  " + text(entry.key()) + "  ";
    String value = entry.isTombstone() ? "✝ tombstone" : text(entry.value());
    return cut(head + cutAround(value, column, Math.max(MIN_VALUE, width - length(head))), width);
  }

  /** As {@link #cutMiddle}, but where this member of a JSON object would be cut, it is the beginning before it and the end after it that are. */
  static String cutAround(String json, String member, int width) {
    int from = member.isEmpty() ? -1 : json.indexOf("\"" + member + "\":");
    if (from < 0 || length(json) <= width) {
      return cutMiddle(json, width);
    }
    int end = json.indexOf(',', from);
    String kept = json.substring(from, end < 0 ? json.length() - 1 : end + 1);
    int room = width - length(kept) - 3;
    if (room < 0) {
      return cutMiddle(json, width);
    }
    int head = Math.min(room, json.codePointCount(0, from));
    String before = json.substring(0, json.offsetByCodePoints(0, head));
    return before + (before.length() < from ? "…" : "") + kept + (end < 0 ? "" : "…") + "}";
  }

  /** With … in the middle where it is too long: beginning and end say most. */
  public static String cutMiddle(String text, int width) {
    int length = length(text);
    if (length <= width) {
      return text;
    }
    int tail = Math.max(0, (width - 1) / 3);
    int head = Math.max(0, width - 1 - tail);
    return text.substring(0, text.offsetByCodePoints(0, head)) + "…"
        + text.substring(text.offsetByCodePoints(0, length - tail));
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
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
