package dev.rowlog.connector.replay.loop;

import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.TablePosition;
import dev.rowlog.connector.replay.spi.Target;
import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.connector.replay.spi.TargetPosition;
import dev.rowlog.connector.replay.spi.TargetRow;
import dev.rowlog.connector.replay.spi.TargetRows;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Moves one target from commit to commit. One thread.
 *
 * <p>What the target says where it stands is all that it goes by: after any failure {@link #reconnect} starts again from there.
 */
public final class ReplayLoop implements AutoCloseable {
  /** What a call of {@link #runOnce} came to. */
  public enum Outcome {
    /** The target moved. */
    MOVED,
    /** Everything committed is there. */
    UP_TO_DATE,
    /** Nothing can be replayed yet: {@link #notReady}. */
    NOT_READY,
    /** It was asked to end in the middle of a building. */
    INTERRUPTED
  }

  private final Disk disk;
  private final Path root;
  private final TablePatterns patterns;
  private final Target target;
  private final ReplayLimits limits;
  private final ReplayListener listener;
  private final BooleanSupplier stop;

  /** Topics that are to be built again because it was asked for. */
  private boolean isRebuildAsked;

  private ReplayView view;
  private TargetPosition position;
  private List<ReplayTable> tables = List.of();
  private final Set<Object> said = new HashSet<>();

  /**
   * @param isRebuildAsked every table is built again, once
   * @param stop true from when it is asked to end: a step that readers see is still finished
   */
  public ReplayLoop(Disk disk, Path root, TablePatterns patterns, Target target, ReplayLimits limits,
      boolean isRebuildAsked,
      ReplayListener listener, BooleanSupplier stop) {
    this.disk = disk;
    this.root = root;
    this.patterns = patterns;
    this.target = target;
    this.limits = limits;
    this.isRebuildAsked = isRebuildAsked;
    this.listener = listener;
    this.stop = stop;
  }

  /**
   * One step: to the next commit at which all tables are there together, or nothing where there is none.
   *
   * @throws TargetException where the target cannot go on; {@link #reconnect} before the next call
   * @throws dev.rowlog.engine.error.LogException where the logs cannot be read
   */
  public Outcome runOnce() {
    look();
    if (view.notReady().isPresent()) {
      return Outcome.NOT_READY;
    }
    if (position == null) {
      position = target.position().orElse(TargetPosition.NONE);
    }
    adoptTables();
    listener.at(position);
    if (isAtEnd()) {
      return Outcome.UP_TO_DATE;
    }
    return step(StepPlan.next(view, position, tables, limits.rows()));
  }

  /** Why it is {@link Outcome#NOT_READY}. */
  public String notReady() {
    return view == null ? "" : view.notReady().orElse("");
  }

  /** Tables of the selection that are replayed. */
  public List<ReplayTable> tables() {
    return tables;
  }

  /** Entries of the selection that match no mirrored table. */
  public List<String> unmatched() {
    return view == null ? List.of() : view.unmatched();
  }

  /** Forgets where the target stood: it is asked again. */
  public void reconnect() {
    position = null;
    tables = List.of();
  }

  private void look() {
    if (view == null) {
      view = ReplayView.open(disk, root, patterns);
    } else if ((position == null || view.notReady().isPresent() || isAtEnd()) && view.isStale()) {
      ReplayView newer = view.reopened();
      view.close();
      view = newer;
    }
  }

  private boolean isAtEnd() {
    boolean isReached = tables.stream()
        .allMatch(
            table -> position.table(table).filter(at -> at.nextOffset() == view.endOffset(table) && !at.building())
                .isPresent());
    if (isReached && position.whole()) {
      // A commit of other tables, or of none: no need to write it down.
      position = position.atCommit(view.commitOffset());
      return true;
    }
    return false;
  }

  /** Decides what becomes of each table that the position does not yet follow. */
  private void adoptTables() {
    List<ReplayTable> present = view.tables();
    view.notes().stopped().forEach((table, reason) -> {
      if (patterns.matches(table) && said.add(List.of(table, reason))) {
        listener.tableStopped(table, reason);
      }
    });
    view.notes().notComplete().forEach(table -> {
      if (patterns.matches(table) && said.add(table)) {
        listener.tableNotComplete(table);
      }
    });
    List<ReplayTable> followed = new ArrayList<>();
    for (ReplayTable table : present) {
      Optional<ReplayTable> before = tables.stream().filter(known -> known.topic().equals(table.topic())).findFirst();
      if (before.isEmpty() || !before.get().topicId().equals(table.topicId()) || mayMissDeletes(table)) {
        start(table);
      } else if (!before.get().columns().equals(table.columns())) {
        throw TargetException.refused("the definition of " + table.id() + " has changed: build it again with --rebuild",
            null);
      }
      followed.add(table);
    }
    tables = followed;
    isRebuildAsked = false;
  }

  /** A target that stood still so long that the cleaner has taken deletes which it has not seen. */
  private boolean mayMissDeletes(ReplayTable table) {
    long next = position.table(table).orElseThrow().nextOffset();
    return next > 0 && view.tombstoneHorizon(table) >= next;
  }

  private void start(ReplayTable table) {
    Optional<TablePosition> stored = position.table(table);
    TableStart.LogFacts log = new TableStart.LogFacts(table.topicId(), view.endOffset(table),
        view.tombstoneHorizon(table));
    TableStart.TargetFacts facts = new TableStart.TargetFacts(stored.isPresent() || target.isEmpty(table),
        stored.isEmpty() || target.holds(table, stored.get().generation()), target.rebuildsBeside(), isRebuildAsked);
    TableStart decided = TableStart.of(table, stored, log, facts, target.describe());
    if (decided instanceof TableStart.Refuse refuse) {
      throw TargetException.refused(refuse.sentence() + "; " + target.howToStartOver(table), null);
    } else if (decided instanceof TableStart.Build build) {
      target.create(table, build.from().generation());
      position = position.with(table.topic(), build.from());
      listener.building(table.id(), build.reason().orElse(""));
    } else if (decided instanceof TableStart.Resume resume) {
      listener.resumed(table.id(), resume.from().nextOffset());
    }
  }

  private Outcome step(StepPlan plan) {
    Batch batch = new Batch(plan);
    for (ReplayTable table : tables) {
      if (!batch.read(table)) {
        return Outcome.INTERRUPTED;
      }
    }
    batch.finish();
    return Outcome.MOVED;
  }

  private long recordsLeft() {
    return tables.stream()
        .mapToLong(table -> Math.max(0, view.endOffset(table) - position.table(table).orElseThrow().nextOffset()))
        .sum();
  }

  /** Collects rows of one step and hands them on in pieces. */
  private final class Batch {
    private final StepPlan plan;
    private final Map<String, TargetRows> rows = new LinkedHashMap<>();
    private TargetPosition reached = position;
    private long records;
    private long bytes;

    private Batch(StepPlan plan) {
      this.plan = plan;
    }

    /** False where it was asked to end and may. */
    private boolean read(ReplayTable table) {
      TablePosition from = reached.table(table).orElseThrow();
      long end = plan.ends().get(table.topic());
      if (from.nextOffset() >= end) {
        return true;
      }
      TargetRows collected = new TargetRows(table, from.generation());
      rows.put(table.topic(), collected);
      try (LogCursor cursor = view.cursor(table, from.nextOffset())) {
        while (cursor.next() && cursor.current().offset() < end) {
          RecordBatchDecoder current = cursor.current();
          TargetRow row = row(current);
          collected.put(row);
          records++;
          bytes += row.key().length + Math.max(0, current.valueLength());
          if (records >= limits.rows() || bytes >= limits.bytes()) {
            reached = reached.with(table.topic(), from.at(current.offset() + 1));
            if (!isLast(table, current.offset() + 1)) {
              flush(false);
              if (stop.getAsBoolean() && from.building()) {
                return false;
              }
              collected = new TargetRows(table, from.generation());
              rows.put(table.topic(), collected);
            }
          }
        }
      }
      reached = reached.with(table.topic(), from.at(end));
      return true;
    }

    private boolean isLast(ReplayTable table, long next) {
      return next >= plan.ends().get(table.topic()) && tables.stream()
          .allMatch(each -> each == table
              || reached.table(each).orElseThrow().nextOffset() >= plan.ends().get(each.topic()));
    }

    private TargetRow row(RecordBatchDecoder current) {
      byte[] key = new byte[Math.max(0, current.keyLength())];
      current.data().get(current.keyPosition(), key);
      byte[] value = current.valueLength() < 0 ? null : new byte[current.valueLength()];
      if (value != null) {
        current.data().get(current.valuePosition(), value);
      }
      return new TargetRow(key, value, current.offset());
    }

    private void flush(boolean isWhole) {
      TargetPosition after = new TargetPosition(isWhole ? plan.commitOffset() : reached.commitOffset(), isWhole,
          reached.tables());
      target.apply(rows.values().stream().filter(collected -> !collected.isEmpty()).toList(), after);
      position = after;
      reached = after;
      rows.clear();
      listener.at(position);
      listener.moved(records, recordsLeft());
      records = 0;
      bytes = 0;
    }

    private void finish() {
      flush(true);
      List<ReplayTable> built = tables.stream().filter(table -> position.table(table).orElseThrow().building())
          .toList();
      if (built.isEmpty()) {
        return;
      }
      TargetPosition shown = position;
      for (ReplayTable table : built) {
        shown = shown.with(table.topic(), shown.table(table).orElseThrow().published());
      }
      target.publish(built, shown);
      position = shown;
      built.forEach(table -> listener.published(table.id()));
    }
  }

  /** Gives the logs and the target back. */
  @Override
  public void close() {
    try {
      if (view != null) {
        view.close();
      }
    } finally {
      target.close();
    }
  }
}
