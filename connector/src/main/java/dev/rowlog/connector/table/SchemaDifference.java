package dev.rowlog.connector.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Compares two versions of a table's definition as {@link SchemaVersion} writes them. Nullability, replica identity and additional enum labels change
 * no row. Pure.
 */
final class SchemaDifference {
  private SchemaDifference() {}

  static Optional<String> between(JsonNode before, JsonNode after) {
    if (before.required("oid").longValue() != after.required("oid").longValue()) {
      return Optional.of("the table was dropped and created again");
    }
    if (!before.required("key").equals(after.required("key"))) {
      return Optional.of("its key was " + before.get("key") + " and is " + after.get("key"));
    }
    JsonNode columns = before.required("columns");
    JsonNode now = after.required("columns");
    for (int i = 0; i < Math.max(columns.size(), now.size()); i++) {
      Optional<String> difference = column(columns.path(i), now.path(i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    if (!before.required("publication").equals(after.required("publication"))) {
      return Optional.of(
          "it was taken out of the publication for a while, or the publication made again: changes may be missing");
    }
    JsonNode altered = before.path("publication_altered");
    // A version that was written before this mark was kept tells nothing by it.
    return altered.isMissingNode() || altered.equals(after.required("publication_altered"))
        ? Optional.empty()
        : Optional.of(
            "the publication was altered (ALTER PUBLICATION … SET, OWNER TO, RENAME TO, or the table's schema taken out"
                + " and put in again): it may have published less for a while, so that changes are missing");
  }

  private static Optional<String> column(JsonNode before, JsonNode after) {
    if (!describe(before).equals(describe(after))) {
      return Optional.of("it had " + describe(before) + " and has " + describe(after) + " in its place");
    }
    if (!before.required("number").equals(after.required("number"))) {
      return Optional.of(describe(before) + " was dropped and added again");
    }
    return shape(before.required("shape"), after.required("shape"))
        .map(difference -> difference + ", which column " + before.get("name").textValue() + " holds");
  }

  private static String describe(JsonNode column) {
    return column.isMissingNode()
        ? "no column"
        : "column " + column.get("name").textValue() + " " + column.get("type").textValue()
            + (column.get("generated").textValue().isEmpty() ? "" : " generated");
  }

  private static Optional<String> shape(JsonNode before, JsonNode after) {
    String name = before.required("name").textValue();
    if (!before.required("oid").equals(after.required("oid"))) {
      return Optional.of("type " + name + " was replaced");
    }
    if (before.path("json_cast").asLong() != after.path("json_cast").asLong()) {
      return Optional.of("the cast to json was changed of type " + name);
    }
    Optional<String> label = renamedLabel(before.path("labels"), after.path("labels"));
    if (label.isPresent()) {
      return Optional.of("the label '" + label.get() + "' was renamed of the enum type " + name);
    }
    JsonNode attributes = before.path("attributes");
    JsonNode now = after.path("attributes");
    for (int i = 0; i < Math.max(attributes.size(), now.size()); i++) {
      Optional<String> difference = attribute(name, attributes.path(i), now.path(i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return before.has("element") && after.has("element")
        ? shape(before.get("element"), after.get("element"))
        : Optional.empty();
  }

  private static Optional<String> renamedLabel(JsonNode before, JsonNode after) {
    Set<String> labels = new HashSet<>();
    after.forEach(label -> labels.add(label.textValue()));
    for (JsonNode label : before) {
      if (!labels.contains(label.textValue())) {
        return Optional.of(label.textValue());
      }
    }
    return Optional.empty();
  }

  private static Optional<String> attribute(String type, JsonNode before, JsonNode after) {
    if (before.path("name").equals(after.path("name")) && before.path("number").equals(after.path("number"))) {
      return shape(before.required("shape"), after.required("shape"));
    }
    return Optional.of("an attribute was " + (before.isMissingNode()
        ? "added, " + after.get("name").textValue() + ", to"
        : after.isMissingNode()
            ? "dropped, " + before.get("name").textValue() + ", from"
            : "changed, " + before.get("name").textValue() + " to " + after.get("name").textValue() + ", of")
        + " the composite type " + type);
  }
}
