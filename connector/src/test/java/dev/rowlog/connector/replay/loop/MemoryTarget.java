package dev.rowlog.connector.replay.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.Target;
import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.connector.replay.spi.TargetPosition;
import dev.rowlog.connector.replay.spi.TargetRow;
import dev.rowlog.connector.replay.spi.TargetRows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A target in memory, which can fail at any call and forget what it has not stored: a fake by hand, atomic as a database. */
final class MemoryTarget implements Target {
  /** Rows by key, by table and generation; what readers see is the published generation. */
  final Map<String, Map<String, String>> buildings = new HashMap<>();
  final Map<String, Integer> published = new HashMap<>();
  final boolean rebuildsBeside;

  /** Calls until one fails; negative for never. */
  int callsUntilFailure = -1;

  boolean isRefusing;
  String stored;
  int applies;
  Runnable afterApply = () -> {};

  MemoryTarget(boolean rebuildsBeside) {
    this.rebuildsBeside = rebuildsBeside;
  }

  private void call() {
    if (isRefusing) {
      throw TargetException.refused("no", null);
    }
    if (callsUntilFailure >= 0 && callsUntilFailure-- == 0) {
      throw TargetException.unavailable("gone for a moment", null);
    }
  }

  @Override
  public String describe() {
    return "memory";
  }

  @Override
  public Optional<TargetPosition> position() {
    call();
    return Optional.ofNullable(stored).map(TargetPosition::parse);
  }

  @Override
  public boolean isEmpty(ReplayTable table) {
    call();
    return buildings.keySet().stream().noneMatch(name -> name.startsWith(table.topic() + "#"));
  }

  @Override
  public boolean holds(ReplayTable table, int generation) {
    call();
    return buildings.containsKey(name(table, generation));
  }

  @Override
  public boolean rebuildsBeside() {
    return rebuildsBeside;
  }

  @Override
  public String howToStartOver(ReplayTable table) {
    return "empty it";
  }

  @Override
  public void create(ReplayTable table, int generation) {
    call();
    buildings.put(name(table, generation), new TreeMap<>());
  }

  @Override
  public void apply(List<TargetRows> rows, TargetPosition position) {
    call();
    for (TargetRows table : rows) {
      Map<String, String> there = buildings.get(name(table.table(), table.generation()));
      for (TargetRow row : table.all()) {
        if (row.isDelete()) {
          there.remove(row.keyText());
        } else {
          there.put(row.keyText(), new String(row.value(), UTF_8));
        }
      }
    }
    stored = position.toJson();
    applies++;
    // The answer may be lost after it was done.
    call();
    afterApply.run();
  }

  @Override
  public void publish(List<ReplayTable> tables, TargetPosition position) {
    call();
    for (ReplayTable table : tables) {
      published.put(table.topic(), position.table(table).orElseThrow().generation());
    }
    stored = position.toJson();
    call();
    afterApply.run();
  }

  /** What a reader of the table gets; null while it has never been complete. */
  Map<String, String> rows(String topic) {
    return published.containsKey(topic) ? buildings.get(topic + "#" + published.get(topic)) : null;
  }

  private static String name(ReplayTable table, int generation) {
    return table.topic() + "#" + generation;
  }

  @Override
  public void close() {}
}
