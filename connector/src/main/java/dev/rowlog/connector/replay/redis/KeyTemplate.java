package dev.rowlog.connector.replay.redis;

import dev.rowlog.connector.replay.spi.KeyValues;
import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.TargetRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a row's key is spelled in Redis: text with <code>{schema}</code>, <code>{table}</code>, <code>{topic}</code>,
 * <code>{generation}</code>, then <code>{key}</code> (all columns of the key) or each of its columns by name. Immutable.
 *
 * <p>Values are escaped ({@link KeyValues}), so that two rows of a table never get one key.
 */
final class KeyTemplate {
  static final String DEFAULT = "{schema}.{table}:{key}";
  static final String GENERATION = "{generation}";

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");
  private static final List<String> OF_TABLE = List.of("schema", "table", "topic", "generation");

  private final String text;

  private KeyTemplate(String text) {
    this.text = text;
  }

  static KeyTemplate of(String text) {
    return new KeyTemplate(text);
  }

  boolean hasGeneration() {
    return text.contains(GENERATION);
  }

  /**
   * The template for one table.
   *
   * @throws IllegalArgumentException where it does not tell two rows of the table apart, or names what is not there
   */
  Keys keysOf(ReplayTable table, int generation) {
    StringBuilder head = new StringBuilder();
    List<String> columns = new ArrayList<>();
    List<String> literals = new ArrayList<>();
    StringBuilder literal = head;
    Matcher placeholder = PLACEHOLDER.matcher(text);
    int at = 0;
    while (placeholder.find()) {
      literal.append(text, at, placeholder.start());
      at = placeholder.end();
      String name = placeholder.group(1);
      if (OF_TABLE.contains(name)) {
        literal.append(ofTable(name, table, generation));
        continue;
      }
      if (!name.equals("key") && !table.keyColumns().contains(name)) {
        throw new IllegalArgumentException("template '" + text + "': " + table.id() + " has no key column '" + name
            + "'; there are {schema}, {table}, {topic}, {generation}, {key} and the key's columns "
            + String.join(", ", table.keyColumns()));
      }
      columns.add(name);
      if (columns.size() > 1) {
        literals.add(literal.toString());
      }
      literal = new StringBuilder();
    }
    literal.append(text, at, text.length());
    if (!columns.contains("key") && !columns.containsAll(table.keyColumns())) {
      throw new IllegalArgumentException("template '" + text + "' does not tell the rows of " + table.id()
          + " apart: it needs {key}, or each of " + String.join(", ", table.keyColumns()));
    }
    for (String between : literals) {
      if (!between.contains(":")) {
        throw new IllegalArgumentException("template '" + text + "' may give two rows of " + table.id()
            + " one key: put a ':' between the columns");
      }
    }
    literals.add(literal.toString());
    return new Keys(head.toString(), columns, literals);
  }

  private static String ofTable(String name, ReplayTable table, int generation) {
    return switch (name) {
      case "schema" -> KeyValues.escaped(table.id().schema());
      case "table" -> KeyValues.escaped(table.id().table());
      case "topic" -> table.topic();
      case "generation" -> Integer.toString(generation);
      default -> throw new IllegalArgumentException(name);
    };
  }

  @Override
  public String toString() {
    return text;
  }

  /**
   * The keys of one table.
   *
   * @param head what each begins with
   * @param columns what stands behind it, with {@code literals} after each
   */
  record Keys(String head, List<String> columns, List<String> literals) {
    Keys {
      columns = List.copyOf(columns);
      literals = List.copyOf(literals);
    }

    String of(TargetRow row) {
      Map<String, String> values = KeyValues.of(row);
      StringBuilder key = new StringBuilder(head);
      for (int i = 0; i < columns.size(); i++) {
        String column = columns.get(i);
        // A column of the key may itself be called "key": then both mean the same or it stands for all.
        key.append(column.equals("key") ? String.join(":", values.values()) : values.get(column))
            .append(literals.get(i));
      }
      return key.toString();
    }
  }
}
