package dev.rowlog.connector.replay.spi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One table's part of a batch: each key once, with its last write. One thread. */
public final class TargetRows {
  private final ReplayTable table;
  private final int generation;
  private final Map<ByteBuffer, TargetRow> newest = new LinkedHashMap<>();

  /**
   * @param generation which building of the table they belong to
   */
  public TargetRows(ReplayTable table, int generation) {
    this.table = table;
    this.generation = generation;
  }

  public void put(TargetRow row) {
    newest.put(ByteBuffer.wrap(row.key()), row);
  }

  public ReplayTable table() {
    return table;
  }

  public int generation() {
    return generation;
  }

  public boolean isEmpty() {
    return newest.isEmpty();
  }

  public int size() {
    return newest.size();
  }

  /** Upserts and deletes, in no order that matters: no key comes twice. */
  public List<TargetRow> all() {
    return List.copyOf(newest.values());
  }

  public List<TargetRow> upserts() {
    return select(false);
  }

  public List<TargetRow> deletes() {
    return select(true);
  }

  private List<TargetRow> select(boolean deletes) {
    List<TargetRow> selected = new ArrayList<>(newest.size());
    for (TargetRow row : newest.values()) {
      if (row.isDelete() == deletes) {
        selected.add(row);
      }
    }
    return selected;
  }
}
