package dev.rowlog.connector.replay.opensearch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.replay.spi.KeyValues;
import dev.rowlog.connector.replay.spi.TargetRow;
import dev.rowlog.connector.replay.spi.TargetRows;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The body of a bulk: an action a row with the offset as its external version, so that an older write never replaces a newer one,
 * and the row's own bytes. One thread.
 */
final class BulkLines {
  /** Longest id that the engine takes. */
  private static final int MAX_ID_BYTES = 512;

  private final ByteArrayOutputStream lines = new ByteArrayOutputStream(1 << 16);

  void add(TargetRows rows, String index) {
    for (TargetRow row : rows.all()) {
      ObjectNode action = JsonNodeFactory.instance.objectNode();
      action.putObject(row.isDelete() ? "delete" : "index")
          .put("_index", index).put("_id", id(row)).put("version", row.offset()).put("version_type", "external");
      lines.writeBytes(action.toString().getBytes(UTF_8));
      lines.write('\n');
      if (!row.isDelete()) {
        writeOnOneLine(row.value());
        lines.write('\n');
      }
    }
  }

  /** The key's values with ':' between, or their SHA-256 where that is too long. */
  static String id(TargetRow row) {
    String id = KeyValues.joined(row);
    byte[] bytes = id.getBytes(UTF_8);
    if (bytes.length <= MAX_ID_BYTES && bytes.length > 0) {
      return id;
    }
    try {
      return "sha256:" + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Raw line ends stand outside strings only: a blank means the same. */
  private void writeOnOneLine(byte[] json) {
    int from = 0;
    for (int i = 0; i < json.length; i++) {
      if (json[i] == '\n' || json[i] == '\r') {
        lines.write(json, from, i - from);
        lines.write(' ');
        from = i + 1;
      }
    }
    lines.write(json, from, json.length - from);
  }

  boolean isEmpty() {
    return lines.size() == 0;
  }

  byte[] toBytes() {
    return lines.toByteArray();
  }
}
