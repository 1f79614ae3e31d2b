package dev.rowlog.connector.mapping;

import java.util.Arrays;

/**
 * A growing buffer of UTF-8 JSON, written as PostgreSQL's {@code escape_json} does. One thread; reused from row to row.
 */
final class JsonBytes {
  private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
  private static final int INITIAL_SIZE = 1 << 10;
  /** What a reused buffer may keep between rows: one huge row shall not be held for ever. */
  private static final int KEPT_SIZE = 1 << 20;

  private byte[] bytes = new byte[INITIAL_SIZE];
  private int size;

  void clear() {
    size = 0;
    if (bytes.length > KEPT_SIZE) {
      bytes = new byte[INITIAL_SIZE];
    }
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  void raw(byte[] utf8) {
    ensure(utf8.length);
    System.arraycopy(utf8, 0, bytes, size, utf8.length);
    size += utf8.length;
  }

  /** A part of other JSON, as it is. */
  void raw(byte[] json, int from, int to) {
    ensure(to - from);
    System.arraycopy(json, from, bytes, size, to - from);
    size += to - from;
  }

  void raw(char ascii) {
    ensure(1);
    bytes[size++] = (byte) ascii;
  }

  /** The text itself, as UTF-8. */
  void raw(String text) {
    for (int i = 0; i < text.length(); i++) {
      ensure(4);
      i = encode(text, i);
    }
  }

  /** A JSON string of the text. */
  void string(String text) {
    raw('"');
    for (int i = 0; i < text.length(); i++) {
      ensure(6);
      char c = text.charAt(i);
      if (c >= 0x20 && c != '"' && c != '\\') {
        i = encode(text, i);
      } else {
        escape(c);
      }
    }
    raw('"');
  }

  private void escape(char c) {
    bytes[size++] = '\\';
    switch (c) {
      case '"', '\\' -> bytes[size++] = (byte) c;
      case '\b' -> bytes[size++] = 'b';
      case '\f' -> bytes[size++] = 'f';
      case '\n' -> bytes[size++] = 'n';
      case '\r' -> bytes[size++] = 'r';
      case '\t' -> bytes[size++] = 't';
      default -> {
        bytes[size++] = 'u';
        bytes[size++] = '0';
        bytes[size++] = '0';
        bytes[size++] = HEX[c >> 4];
        bytes[size++] = HEX[c & 0xF];
      }
    }
  }

  /** Encodes the character at i; returns the index of its last char. */
  private int encode(String text, int i) {
    char c = text.charAt(i);
    if (c < 0x80) {
      bytes[size++] = (byte) c;
    } else if (c < 0x800) {
      bytes[size++] = (byte) (0xC0 | c >> 6);
      bytes[size++] = (byte) (0x80 | c & 0x3F);
    } else if (Character.isSurrogate(c)) {
      int codePoint = text.codePointAt(i);
      if (codePoint < Character.MIN_SUPPLEMENTARY_CODE_POINT) {
        throw new IllegalArgumentException(
            "half a surrogate pair at index " + i + ": not text that a database can hold");
      }
      bytes[size++] = (byte) (0xF0 | codePoint >> 18);
      bytes[size++] = (byte) (0x80 | codePoint >> 12 & 0x3F);
      bytes[size++] = (byte) (0x80 | codePoint >> 6 & 0x3F);
      bytes[size++] = (byte) (0x80 | codePoint & 0x3F);
      return i + 1;
    } else {
      bytes[size++] = (byte) (0xE0 | c >> 12);
      bytes[size++] = (byte) (0x80 | c >> 6 & 0x3F);
      bytes[size++] = (byte) (0x80 | c & 0x3F);
    }
    return i;
  }

  private void ensure(int more) {
    if (bytes.length - size < more) {
      long wanted = Math.max(2L * bytes.length, (long) size + more);
      int grown = (int) Math.min(wanted, Integer.MAX_VALUE - 8);
      if (grown - size < more) {
        throw new IllegalArgumentException("JSON of more than " + grown + " bytes: larger than a Java array can be");
      }
      bytes = Arrays.copyOf(bytes, grown);
    }
  }
}
