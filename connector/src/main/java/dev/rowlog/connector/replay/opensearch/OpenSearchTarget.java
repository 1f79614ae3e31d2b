package dev.rowlog.connector.replay.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.Target;
import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.connector.replay.spi.TargetPosition;
import dev.rowlog.connector.replay.spi.TargetRows;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A document a row, an index a building of a table, an alias that readers use. The position is a document that is written after each
 * acknowledged bulk; versions make a bulk that is sent again harmless.
 *
 * <p>The same requests serve OpenSearch and Elasticsearch 7.
 */
public final class OpenSearchTarget implements Target {
  private static final int TEMPLATE_PRIORITY = 200;

  private final String name;
  private final SearchAccess access;
  private final SearchClient client;
  private final IndexNames names;
  private final Optional<JsonNode> userTemplate;
  private final Map<String, String> aliases = new HashMap<>();
  private final TreeSet<String> patterns = new TreeSet<>();

  /** What the position's document must still be when it is written; null for not there. */
  private String seenVersion;

  private OpenSearchTarget(String name, SearchAccess access, IndexNames names, Optional<JsonNode> userTemplate) {
    this.name = name;
    this.access = access;
    this.names = names;
    this.userTemplate = userTemplate;
    this.client = SearchClient.of(access);
  }

  /**
   * Connects at the first use.
   *
   * @param name of the target: its position and its index template carry it
   * @param prefix of every index, may be empty
   * @param userTemplate what stands under {@code template} of the index template (settings, mappings); empty for ours
   */
  public static OpenSearchTarget of(String name, SearchAccess access, String prefix, Optional<JsonNode> userTemplate) {
    return new OpenSearchTarget(name, access, new IndexNames(prefix), userTemplate);
  }

  @Override
  public String describe() {
    return "the search engine at " + access;
  }

  @Override
  public Optional<TargetPosition> position() {
    Optional<JsonNode> found = client.find(path(names.positions()) + "/_doc/" + name);
    seenVersion = found.map(OpenSearchTarget::version).orElse(null);
    return found.map(document -> TargetPosition.parse(document.path("_source").path("position").asText()));
  }

  private static String version(JsonNode answer) {
    return "if_seq_no=" + answer.path("_seq_no").asLong() + "&if_primary_term=" + answer.path("_primary_term").asLong();
  }

  @Override
  public boolean isEmpty(ReplayTable table) {
    return !client.exists(path(alias(table)));
  }

  @Override
  public boolean holds(ReplayTable table, int generation) {
    return client.exists(path(names.index(table, generation)));
  }

  @Override
  public boolean rebuildsBeside() {
    return true;
  }

  @Override
  public String howToStartOver(ReplayTable table) {
    return "delete " + alias(table) + " there, or let 'rowlog replay --rebuild' build it beside and replace it";
  }

  /** Two tables whose names fall together would share an index. */
  private String alias(ReplayTable table) {
    String alias = names.alias(table);
    String other = aliases.putIfAbsent(alias, table.topic());
    if (other != null && !other.equals(table.topic())) {
      throw TargetException
          .refused("the tables of topics " + other + " and " + table.topic() + " both get the index " + alias
              + ": leave one of them out, or give it another index.prefix in a target of its own", null);
    }
    return alias;
  }

  @Override
  public void create(ReplayTable table, int generation) {
    alias(table);
    if (patterns.add(names.pattern(table))) {
      putTemplate(table);
    }
    String index = path(names.index(table, generation));
    if (client.exists(index)) {
      client.ask("DELETE", index, null);
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (userTemplate.isEmpty()) {
      body.set("mappings", IndexMapping.of(table));
    }
    // Nobody searches it yet.
    body.putObject("settings").put("index.refresh_interval", "-1");
    client.ask("PUT", index, body);
  }

  private void putTemplate(ReplayTable table) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode covered = body.putArray("index_patterns");
    patterns.forEach(covered::add);
    body.put("priority", TEMPLATE_PRIORITY);
    if (userTemplate.isPresent()) {
      body.set("template", userTemplate.get());
    } else {
      body.putObject("template").set("settings", IndexMapping.settings(table));
    }
    client.ask("PUT", "/_index_template/rowlog-" + name, body);
  }

  @Override
  public void apply(List<TargetRows> rows, TargetPosition position) {
    BulkLines lines = new BulkLines();
    for (TargetRows table : rows) {
      lines.add(table, names.index(table.table(), table.generation()));
    }
    if (!lines.isEmpty()) {
      BulkAnswer.check(client.bulk(lines.toBytes()), describe());
    }
    store(position);
  }

  private void store(TargetPosition position) {
    ObjectNode document = JsonNodeFactory.instance.objectNode().put("position", position.toJson());
    String condition = seenVersion == null ? "op_type=create" : seenVersion;
    if (seenVersion == null && !client.exists(path(names.positions()))) {
      ObjectNode index = JsonNodeFactory.instance.objectNode();
      index.putObject("mappings").put("dynamic", false);
      index.putObject("settings").put("index.number_of_shards", 1);
      client.ask("PUT", path(names.positions()), index);
    }
    seenVersion = version(client.ask("PUT", path(names.positions()) + "/_doc/" + name + "?" + condition, document));
  }

  @Override
  public void publish(List<ReplayTable> tables, TargetPosition position) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode actions = body.putArray("actions");
    for (ReplayTable table : tables) {
      String index = names.index(table, position.table(table).orElseThrow().generation());
      ObjectNode settings = JsonNodeFactory.instance.objectNode();
      settings.putNull("index.refresh_interval");
      client.ask("PUT", path(index) + "/_settings", settings);
      client.ask("POST", path(index) + "/_refresh", null);
      actions.addObject().putObject("add").put("index", index).put("alias", names.alias(table));
      for (String before : behind(names.alias(table))) {
        if (!before.equals(index)) {
          // In the same step as the alias: readers see the one or the other.
          actions.addObject().putObject("remove_index").put("index", before);
        }
      }
    }
    client.ask("POST", "/_aliases", body);
    store(position);
    removeLeftovers(tables, position);
  }

  private static String path(String index) {
    return "/" + URLEncoder.encode(index, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Indices that the name stands for now. */
  private List<String> behind(String alias) {
    List<String> indices = new ArrayList<>();
    client.find(path(alias) + "/_settings?flat_settings=true")
        .ifPresent(found -> found.fieldNames().forEachRemaining(indices::add));
    return indices;
  }

  /** Buildings that were given up. */
  private void removeLeftovers(List<ReplayTable> tables, TargetPosition position) {
    for (ReplayTable table : tables) {
      String current = names.index(table, position.table(table).orElseThrow().generation());
      for (String index : behind(names.pattern(table))) {
        if (!index.equals(current) && index.matches(Pattern.quote(names.alias(table)) + "-[0-9]{6,}")) {
          client.ask("DELETE", path(index), null);
        }
      }
    }
  }

  /** Connections end with the client. */
  @Override
  public void close() {}
}
