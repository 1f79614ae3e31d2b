package dev.rowlog.connector.sink;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.CommittedRecord;
import dev.rowlog.engine.record.Record;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A source transaction between its BEGIN and its END: events counted, records held back while they are few. One thread.
 *
 * <p>Held back, because only the END tells whether the transaction was committed before (D6); most are then dropped
 * without a cut.
 */
final class OpenTransaction {
  /** Bytes of records beyond which they go into the logs before the END. */
  static final int HELD_BYTES = 256 << 10;
  /** What a held record takes beside key and value. */
  private static final long RECORD_BYTES = 200;

  /** A record and the table that it is for. */
  record Held(MirroredTable table, Record record) {}

  private final long id;
  private final Map<TableId, Long> events = new TreeMap<>();
  private final Map<TableId, String> stops = new LinkedHashMap<>();
  private final List<Held> held = new ArrayList<>();
  private final List<CommittedRecord> sample = new ArrayList<>();
  private final Set<TableId> truncated = new LinkedHashSet<>();
  private long heldBytes;
  private long records;
  private boolean spilled;

  OpenTransaction(long id) {
    this.id = id;
  }

  long id() {
    return id;
  }

  void countEvent(TableId table) {
    events.merge(table, 1L, Long::sum);
  }

  Map<TableId, Long> events() {
    return events;
  }

  void hold(MirroredTable table, Record record) {
    held.add(new Held(table, record));
    heldBytes += RECORD_BYTES + record.key().length + (record.value() == null ? 0 : record.value().length);
  }

  /** The newest record of this key that is held; empty where none is. */
  Optional<Record> newest(MirroredTable table, byte[] key) {
    for (int i = held.size() - 1; i >= 0; i--) {
      Held entry = held.get(i);
      if (entry.table.table().equals(table.table()) && Arrays.equals(entry.record.key(), key)) {
        return Optional.of(entry.record);
      }
    }
    return Optional.empty();
  }

  boolean isFull() {
    return heldBytes > HELD_BYTES;
  }

  /** What is held; from now on nothing is. */
  List<Held> release() {
    List<Held> released = List.copyOf(held);
    held.clear();
    heldBytes = 0;
    return released;
  }

  boolean isSpilled() {
    return spilled;
  }

  void spill() {
    spilled = true;
  }

  void countRecord() {
    records++;
  }

  long records() {
    return records;
  }

  List<CommittedRecord> sample() {
    return sample;
  }

  /** The table misses this transaction and all later ones. */
  void stop(TableId table, String reason) {
    stops.putIfAbsent(table, reason);
    held.removeIf(entry -> entry.table().table().equals(table));
    sample.removeIf(entry -> entry.table().equals(table));
  }

  void truncate(TableId table) {
    truncated.add(table);
  }

  Set<TableId> truncated() {
    return truncated;
  }

  boolean stops(TableId table) {
    return stops.containsKey(table);
  }

  Map<TableId, String> stops() {
    return stops;
  }
}
