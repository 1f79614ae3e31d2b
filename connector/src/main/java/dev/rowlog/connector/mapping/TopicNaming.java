package dev.rowlog.connector.mapping;

import dev.rowlog.connector.change.TableId;
import java.util.Collection;
import java.util.Map;

/**
 * The topic of each table: {@code <prefix>.<schema>.<table>}; a name that Kafka does not allow, or that would fall together with another,
 * gets a readable head and 16 hexadecimal digits of its SHA-256.
 */
public final class TopicNaming {
  private TopicNaming() {}

  /** Names for all tables at once, so that two that differ only in {@code .} and {@code _} are told apart. */
  public static Map<TableId, String> topics(String prefix, Collection<TableId> tables) {
    throw new UnsupportedOperationException("skeleton");
  }
}
