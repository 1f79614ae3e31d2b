package dev.rowlog.connector.mapping;

import dev.rowlog.connector.change.TableId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The topic of each table: {@code <prefix>.<schema>.<table>}; a name that Kafka does not allow, or that would fall together with another,
 * gets a readable head and 16 hexadecimal digits of its SHA-256. Names that differ only in case count as equal too, since a topic is a folder
 * and some file systems fold case. Kafka's rules: org.apache.kafka.common.internals.Topic.
 */
public final class TopicNaming {
  /** Kafka's longest topic name. */
  private static final int MAX_LENGTH = 249;

  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]+");
  private static final Pattern ILLEGAL_CHARACTER = Pattern.compile("[^a-zA-Z0-9._-]");
  private static final int HASH_DIGITS = 16;

  private TopicNaming() {}

  /** Names for all tables at once, so that two that differ only in {@code .} and {@code _} are told apart. */
  public static Map<TableId, String> topics(String prefix, Collection<TableId> tables) {
    return topics(prefix, tables, Map.of());
  }

  /**
   * Names for all tables at once.
   *
   * @param existing topics that tables have already: they keep them, whatever table is added later
   */
  public static Map<TableId, String> topics(String prefix, Collection<TableId> tables, Map<TableId, String> existing) {
    Map<String, TableId> taken = new HashMap<>();
    existing.forEach((table, topic) -> taken.put(folded(topic), table));
    Map<String, Integer> plainUses = new HashMap<>();
    TreeSet<TableId> sorted = new TreeSet<>(tables);
    for (TableId table : sorted) {
      if (!existing.containsKey(table)) {
        plainUses.merge(folded(plain(prefix, table)), 1, Integer::sum);
      }
    }
    Map<TableId, String> topics = new LinkedHashMap<>();
    for (TableId table : sorted) {
      String topic = existing.get(table);
      if (topic == null) {
        String plain = plain(prefix, table);
        boolean alone = plainUses.get(folded(plain)) == 1 && !taken.containsKey(folded(plain));
        topic = alone && isUnambiguous(plain, table) ? plain : hashed(prefix, table);
        TableId owner = taken.putIfAbsent(folded(topic), table);
        if (owner != null) {
          throw new IllegalStateException("tables " + owner + " and " + table + " both get the topic " + topic
              + ": rename one of them or mirror them with different prefixes");
        }
      }
      topics.put(table, topic);
    }
    return topics;
  }

  private static String plain(String prefix, TableId table) {
    return prefix + "." + table.schema() + "." + table.table();
  }

  /** A dot inside a schema or table would let two tables have one plain name, now or when the other is added. */
  private static boolean isUnambiguous(String plain, TableId table) {
    return plain.length() <= MAX_LENGTH && LEGAL.matcher(plain).matches()
        && table.schema().indexOf('.') < 0 && table.table().indexOf('.') < 0;
  }

  private static String folded(String topic) {
    return topic.replace('.', '_').toLowerCase(Locale.ROOT);
  }

  private static String hashed(String prefix, TableId table) {
    String head = ILLEGAL_CHARACTER.matcher(plain(prefix, table)).replaceAll("_");
    int room = MAX_LENGTH - HASH_DIGITS - 1;
    return (head.length() > room ? head.substring(0, room) : head) + "-" + hash(prefix, table);
  }

  private static String hash(String prefix, TableId table) {
    // NUL cannot be part of a PostgreSQL name, so no two tables have one text.
    String identity = prefix + '\0' + table.schema() + '\0' + table.table();
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
