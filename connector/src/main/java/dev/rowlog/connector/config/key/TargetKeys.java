package dev.rowlog.connector.config.key;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys of one target, behind {@code target.<name>.}; names are lower-case letters and digits. docs/targets.md lists them. */
public final class TargetKeys {
  public static final String PREFIX = "target.";

  private static final Pattern SHAPE = Pattern.compile("target\\.([a-z0-9]+)\\.(.+)");

  /**
   * A key of a target.
   *
   * @param types the target types that have it
   * @param defaultValue null for none
   */
  public record TargetKey(String name, Set<TargetType> types, String defaultValue, String description) {
    public TargetKey {
      types = Set.copyOf(types);
    }

    public Optional<String> defaultText() {
      return Optional.ofNullable(defaultValue);
    }
  }

  private static final Set<TargetType> ANY = Set.of(TargetType.values());
  private static final Set<TargetType> FOLLOWING = Set.of(TargetType.REDIS, TargetType.OPENSEARCH, TargetType.POSTGRES);

  private static final List<TargetKey> ALL = List.of(
      new TargetKey("type", ANY, null, "redis, opensearch, postgres, or (only 'rowlog replay', once) jsonl."),
      new TargetKey("tables", ANY, "*.*", "Tables to replay, as in source.tables."),
      new TargetKey("url", FOLLOWING, null,
          "redis://host:6379, http://host:9200 (several with commas), postgres://user@host/database."),
      new TargetKey("user", Set.of(TargetType.OPENSEARCH), null, "User of the search engine."),
      new TargetKey("password", FOLLOWING, null, "Password, where the URL has none; better given by a file."),
      new TargetKey("batch.rows", FOLLOWING, "5000", "Rows of a batch, and of the commits that are taken together."),
      new TargetKey("key", Set.of(TargetType.REDIS), "{schema}.{table}:{key}",
          "How a row's key is spelled; with {generation} a rebuild goes beside."),
      new TargetKey("value", Set.of(TargetType.REDIS), "json", "json: the row as a string; hash: a field a column."),
      new TargetKey("index.prefix", Set.of(TargetType.OPENSEARCH), "", "What every index's name begins with."),
      new TargetKey("index.template", Set.of(TargetType.OPENSEARCH), null,
          "File with the settings and mappings of the index template, in place of Rowlog's."),
      new TargetKey("schema", Set.of(TargetType.POSTGRES), null, "Schema of every table; by default the source's."),
      new TargetKey("dir", Set.of(TargetType.JSONL), null, "Folder of the files."));

  private TargetKeys() {}

  public static List<TargetKey> all() {
    return ALL;
  }

  public static Optional<TargetKey> find(String name) {
    return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  /** {@code target.<name>.} of a key that has this shape. */
  public static Optional<String> prefixOf(String key) {
    Matcher shape = SHAPE.matcher(key);
    return shape.matches() ? Optional.of(PREFIX + shape.group(1) + ".") : Optional.empty();
  }

  public static boolean isKnown(String key) {
    Matcher shape = SHAPE.matcher(key);
    return shape.matches() && find(shape.group(2)).isPresent();
  }

  /** Every key that the target of this key might have been meant to be given; none where it names no target. */
  public static List<String> candidates(String key) {
    return prefixOf(key).map(prefix -> ALL.stream().map(known -> prefix + known.name()).toList()).orElse(List.of());
  }
}
