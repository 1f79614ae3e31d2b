package dev.rowlog.engine;

import dev.rowlog.engine.log.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Numbered transactions over a few logs, the same for the same seed in every process, and the tables that they leave: the model that
 * readers are held against.
 */
public final class Workload {
  private final long seed;
  private final int keys;
  private final int valueLength;
  private final List<TopicPartition> logs;

  /** What a transaction does to a row; a null value deletes it. */
  public record Write(TopicPartition log, String key, String value) {}

  /**
   * @param keys of each log
   * @param valueLength characters of a value, at least
   */
  public Workload(long seed, int logCount, int keys, int valueLength) {
    this.seed = seed;
    this.keys = keys;
    this.valueLength = valueLength;
    this.logs = new ArrayList<>();
    for (int i = 0; i < logCount; i++) {
      logs.add(TopicPartition.of("table" + i));
    }
  }

  public List<TopicPartition> logs() {
    return logs;
  }

  /**
   * @param number from 1 on
   */
  public List<Write> transaction(long number) {
    Random random = Seeds.random(seed * 1_000_003 + number);
    List<Write> writes = new ArrayList<>();
    for (TopicPartition log : logs) {
      if (random.nextInt(3) > 0) {
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
          String key = "key" + random.nextInt(keys);
          writes.add(new Write(log, key, random.nextInt(5) == 0 ? null : value(number)));
        }
      }
    }
    return writes;
  }

  private String value(long number) {
    StringBuilder value = new StringBuilder().append(number).append(':');
    while (value.length() < valueLength) {
      value.append('x');
    }
    return value.toString();
  }

  /** The tables after the first {@code count} transactions. */
  public Map<TopicPartition, Map<String, String>> tables(long count) {
    Map<TopicPartition, Map<String, String>> tables = new TreeMap<>();
    logs.forEach(log -> tables.put(log, new TreeMap<>()));
    for (long number = 1; number <= count; number++) {
      apply(tables, number);
    }
    return tables;
  }

  public void apply(Map<TopicPartition, Map<String, String>> tables, long number) {
    for (Write write : transaction(number)) {
      if (write.value() == null) {
        tables.get(write.log()).remove(write.key());
      } else {
        tables.get(write.log()).put(write.key(), write.value());
      }
    }
  }
}
