package dev.rowlog.connector.replay.opensearch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.replay.spi.ReplayColumn;
import dev.rowlog.connector.replay.spi.ReplayTable;
import java.util.Map;

/**
 * How a table's columns are searched. Whatever a type prints is accepted: what a field cannot index stays in {@code _source},
 * which is the row as it is. Pure.
 */
final class IndexMapping {
  /** Lucene's longest term, in characters of up to four bytes. */
  private static final int LONGEST_KEYWORD = 8_191;

  private static final int SHORT_KEYWORD = 256;

  private static final Map<String, String> FIELD_TYPES = Map.ofEntries(
      Map.entry("boolean", "boolean"),
      Map.entry("smallint", "long"),
      Map.entry("integer", "long"),
      Map.entry("bigint", "long"),
      Map.entry("oid", "long"),
      Map.entry("numeric", "double"),
      Map.entry("real", "double"),
      Map.entry("double precision", "double"),
      Map.entry("date", "date"),
      Map.entry("timestamp without time zone", "date"),
      Map.entry("timestamp with time zone", "date"),
      Map.entry("text", "text"),
      Map.entry("character varying", "text"),
      Map.entry("character", "text"),
      Map.entry("json", "object"),
      Map.entry("jsonb", "object"));

  private IndexMapping() {}

  /** {@code mappings} of the index. */
  static ObjectNode of(ReplayTable table) {
    ObjectNode mappings = JsonNodeFactory.instance.objectNode();
    mappings.put("dynamic", false);
    ObjectNode properties = mappings.putObject("properties");
    table.columns().forEach(column -> properties.set(column.name(), field(column)));
    return mappings;
  }

  private static ObjectNode field(ReplayColumn column) {
    ObjectNode field = JsonNodeFactory.instance.objectNode();
    String type = column.isEnum() ? "keyword" : fieldType(column.type());
    field.put("type", type);
    switch (type) {
      case "text" ->
        field.putObject("fields").putObject("keyword").put("type", "keyword").put("ignore_above", SHORT_KEYWORD);
      case "keyword" -> field.put("ignore_above", LONGEST_KEYWORD);
      // Kept, not indexed: its shape may change from row to row.
      case "object" -> field.put("enabled", false);
      default -> {
      }
    }
    return field;
  }

  private static String fieldType(String type) {
    // An array is indexed as its elements; modifiers such as (10,2) change nothing.
    String element = type.replace("[]", "").replaceAll("\\([^)]*\\)", "").strip();
    // A type of the user's own may print anything.
    return type.contains(".") ? "object" : FIELD_TYPES.getOrDefault(element, "keyword");
  }

  /** Settings that every row fits into. */
  static ObjectNode settings(ReplayTable table) {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings.put("index.mapping.ignore_malformed", true);
    settings.put("index.mapping.total_fields.limit", Math.max(1_000, 4 * table.columns().size()));
    return settings;
  }
}
