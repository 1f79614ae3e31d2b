package dev.rowlog.connector.cli.read;

import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.Record;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A format string after kcat: {@code %o} offset, {@code %k} key, {@code %v} value, {@code %t} timestamp in ms, {@code
 * %T} topic, {@code %h} headers as
 * {@code name=value} with commas between, {@code %%} a percent sign, {@code \n \t \r \\}. What is null prints as
 * {@code null}. Line ends inside a key
 * or a value become blanks, so that a line stays a line; in JSON they are always outside strings.
 */
final class FormatRecordPrinter implements RecordPrinter {
  private static final byte[] NULL = "null".getBytes(StandardCharsets.UTF_8);

  private interface Piece {
    void write(String topic, Record entry, OutputStream out) throws IOException;
  }

  private final List<Piece> pieces;

  private FormatRecordPrinter(List<Piece> pieces) {
    this.pieces = List.copyOf(pieces);
  }

  static FormatRecordPrinter parse(String format) {
    List<Piece> pieces = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c != '%' && c != '\\' || c == '\\' && i + 1 == format.length()) {
        literal.append(c);
      } else if (i + 1 == format.length()) {
        throw unknown("%");
      } else if (c == '\\') {
        literal.append(escaped(format.charAt(++i)));
      } else if (format.charAt(++i) == '%') {
        literal.append('%');
      } else {
        addLiteral(pieces, literal);
        pieces.add(field(format.charAt(i)));
      }
    }
    addLiteral(pieces, literal);
    return new FormatRecordPrinter(pieces);
  }

  @Override
  public void print(String topic, Record entry, OutputStream out) throws IOException {
    for (Piece piece : pieces) {
      piece.write(topic, entry, out);
    }
  }

  private static void addLiteral(List<Piece> pieces, StringBuilder literal) {
    if (!literal.isEmpty()) {
      byte[] bytes = literal.toString().getBytes(StandardCharsets.UTF_8);
      pieces.add((topic, entry, out) -> out.write(bytes));
      literal.setLength(0);
    }
  }

  private static String escaped(char c) {
    return switch (c) {
      case 'n' -> "\n";
      case 't' -> "\t";
      case 'r' -> "\r";
      case '\\' -> "\\";
      default -> throw unknown("\\" + c);
    };
  }

  private static Piece field(char c) {
    return switch (c) {
      case 'o' -> (topic, entry, out) -> number(entry.offset(), out);
      case 't' -> (topic, entry, out) -> number(entry.timestamp(), out);
      case 'T' -> (topic, entry, out) -> out.write(topic.getBytes(StandardCharsets.UTF_8));
      case 'k' -> (topic, entry, out) -> onOneLine(entry.key(), out);
      case 'v' -> (topic, entry, out) -> onOneLine(entry.value(), out);
      case 'h' -> (topic, entry, out) -> headers(entry.headers(), out);
      default -> throw unknown("%" + c);
    };
  }

  private static IllegalArgumentException unknown(String token) {
    return new IllegalArgumentException(
        "unknown token '" + token
            + "' in the format: json, or a string with %o %k %v %t %T %h %% and \\n \\t \\r \\\\");
  }

  private static void number(long value, OutputStream out) throws IOException {
    out.write(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
  }

  private static void headers(List<Header> headers, OutputStream out) throws IOException {
    for (int i = 0; i < headers.size(); i++) {
      if (i > 0) {
        out.write(',');
      }
      out.write(headers.get(i).key().getBytes(StandardCharsets.UTF_8));
      out.write('=');
      onOneLine(headers.get(i).value(), out);
    }
  }

  private static void onOneLine(byte[] bytes, OutputStream out) throws IOException {
    if (bytes == null) {
      out.write(NULL);
      return;
    }
    byte[] line = bytes.clone();
    for (int i = 0; i < line.length; i++) {
      if (line[i] == '\n' || line[i] == '\r') {
        line[i] = ' ';
      }
    }
    out.write(line);
  }
}
