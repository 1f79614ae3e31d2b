package dev.rowlog.connector.catalog;

import java.util.List;

/**
 * How {@code to_json} prints a type, from its catalog entry (PostgreSQL {@code json_categorize_type}).
 */
public sealed interface ColumnType {

  /** {@code true} or {@code false}. */
  record Bool() implements ColumnType {}

  /** A number as its text, quoted where that is no JSON number (NaN, Infinity). */
  record Number() implements ColumnType {}

  /** json and jsonb: the text itself. */
  record Json() implements ColumnType {}

  /** ISO 8601 with T. */
  record Date() implements ColumnType {}

  /** ISO 8601 with T. */
  record Timestamp() implements ColumnType {}

  /** ISO 8601 with T and the full offset. */
  record Timestamptz() implements ColumnType {}

  /** A JSON array, nested by dimension; bounds are not part of JSON. */
  record Array(ColumnType element, char delimiter) implements ColumnType {}

  /** A JSON object of the attributes. */
  record Composite(List<Attribute> attributes) implements ColumnType {}

  /** The hstore extension's cast to json: an object of strings. */
  record Hstore() implements ColumnType {}

  /** Everything else: its text as a JSON string. */
  record Text() implements ColumnType {}

  /** Printed by a cast to json that only the server has. */
  record ServerCast(String typeName) implements ColumnType {}

  /** One attribute of a composite type. */
  record Attribute(String name, ColumnType type) {}
}
