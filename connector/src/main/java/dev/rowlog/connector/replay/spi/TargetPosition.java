package dev.rowlog.connector.replay.spi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where a target stands, as the target itself keeps it: JSON, whose unknown fields are ignored.
 *
 * @param commitOffset of the commit that it stands at, or has left for the next one; -1 for none
 * @param whole true at a commit; false between two, when a step did not fit into one batch
 * @param tables by topic
 */
public record TargetPosition(long commitOffset, boolean whole, Map<String, TablePosition> tables) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A newer one may mean what this version would not act on. */
  private static final int VERSION = 1;

  public static final TargetPosition NONE = new TargetPosition(-1, true, Map.of());

  public TargetPosition {
    Objects.requireNonNull(tables, "tables");
    tables = Map.copyOf(tables);
  }

  public Optional<TablePosition> table(ReplayTable table) {
    return Optional.ofNullable(tables.get(table.topic()));
  }

  public TargetPosition with(String topic, TablePosition position) {
    Map<String, TablePosition> changed = new TreeMap<>(tables);
    changed.put(topic, position);
    return new TargetPosition(commitOffset, whole, changed);
  }

  /** The same offsets, seen from a later commit that changed none of them. */
  public TargetPosition atCommit(long offset) {
    return new TargetPosition(offset, true, tables);
  }

  /** One line of JSON. */
  public String toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put("version", VERSION);
    json.put("commit", commitOffset);
    json.put("whole", whole);
    ObjectNode entries = json.putObject("tables");
    new TreeMap<>(tables).forEach((topic, table) -> {
      ObjectNode entry = entries.putObject(topic);
      entry.put("topic_id", table.topicId());
      entry.put("next_offset", table.nextOffset());
      entry.put("generation", table.generation());
      entry.put("building", table.building());
    });
    try {
      return JSON.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @throws TargetException where it is not such a position, or a newer version's
   */
  public static TargetPosition parse(String text) {
    try {
      JsonNode json = JSON.readTree(text);
      int version = json.required("version").intValue();
      if (version != VERSION) {
        throw TargetException.refused("the target's position has version " + version + ", this Rowlog knows " + VERSION
            + ": use the Rowlog that wrote it, or a newer one", null);
      }
      Map<String, TablePosition> tables = new TreeMap<>();
      json.required("tables").properties().forEach(entry -> {
        JsonNode table = entry.getValue();
        tables.put(entry.getKey(), new TablePosition(table.required("topic_id").textValue(),
            table.required("next_offset").longValue(), table.required("generation").intValue(),
            table.required("building").booleanValue()));
      });
      return new TargetPosition(json.required("commit").longValue(), json.required("whole").booleanValue(), tables);
    } catch (JsonProcessingException | IllegalArgumentException | NullPointerException e) {
      throw TargetException.refused("the target's position is not one of Rowlog's: " + text, e);
    }
  }
}
