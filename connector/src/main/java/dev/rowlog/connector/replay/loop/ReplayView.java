package dev.rowlog.connector.replay.loop;

import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.TablePosition;
import dev.rowlog.connector.replay.spi.TargetPosition;
import dev.rowlog.connector.sink.StoppedTables;
import dev.rowlog.connector.table.SchemaLog;
import dev.rowlog.connector.table.SchemaVersion;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.replay.CommitHistory;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.LogCursor;
import dev.rowlog.engine.replay.SegmentFile;
import dev.rowlog.engine.segment.BatchScanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The logs of a data directory as they stood at one commit, by table. Takes no lock and changes nothing; works inside the process that
 * writes and beside it. One thread.
 */
public final class ReplayView implements AutoCloseable {
  private static final int SCAN_BYTES = 256 * 1024;
  private static final TopicPartition STATUS = TopicPartition.of(StoppedTables.TOPIC);

  private final DirectoryReader reader;
  private final TablePatterns patterns;
  private final Map<TableId, SchemaVersion> schemas;
  private final TableNotes notes;
  private final Map<TopicPartition, Long> horizons;
  private final CommittedEnds committed;
  private final List<ReplayTable> tables;
  private final Map<String, Long> firstUncleaned = new HashMap<>();

  private ReplayView(DirectoryReader reader, TablePatterns patterns, Map<TableId, SchemaVersion> schemas,
      TableNotes notes) {
    this.reader = reader;
    this.patterns = patterns;
    this.schemas = schemas;
    this.notes = notes;
    this.committed = reader.committed().orElse(new CommittedEnds(-1, Map.of(), null));
    // After the snapshot: a horizon is written before the tombstones go.
    this.horizons = reader.checkpoint(OffsetCheckpoint.TOMBSTONE_HORIZON);
    this.tables = tables(reader, patterns, schemas, notes);
  }

  /**
   * @throws dev.rowlog.engine.error.LogException where the directory cannot be read
   */
  public static ReplayView open(Disk disk, Path root, TablePatterns patterns) {
    return of(DirectoryReader.open(disk, root), patterns, null);
  }

  /** The directory as it stands now; this view is closed apart. */
  ReplayView reopened() {
    return of(reader.reopened(), patterns, this);
  }

  private static ReplayView of(DirectoryReader reader, TablePatterns patterns, ReplayView before) {
    try {
      Map<TableId, SchemaVersion> schemas = isSame(reader, before, SchemaLog.LOG)
          ? before.schemas
          : read(reader, SchemaLog.LOG).map(cursor -> closing(cursor, SchemaLog::newest)).orElse(Map.of());
      TableNotes notes = isSame(reader, before, STATUS)
          ? before.notes
          : read(reader, STATUS).map(cursor -> closing(cursor, TableNotes::read)).orElse(TableNotes.NONE);
      return new ReplayView(reader, patterns, schemas, notes);
    } catch (RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  private static boolean isSame(DirectoryReader reader, ReplayView before, TopicPartition log) {
    return before != null && reader.committed().isPresent()
        && reader.committed().get().end(log) == before.committed.end(log);
  }

  private static Optional<LogCursor> read(DirectoryReader reader, TopicPartition log) {
    return reader.partitions().contains(log) ? Optional.of(reader.cursor(log, 0)) : Optional.empty();
  }

  private static <T> T closing(LogCursor cursor, Function<LogCursor, T> use) {
    try (cursor) {
      return use.apply(cursor);
    }
  }

  /** True where there may be a newer commit. */
  boolean isStale() {
    return reader.isStale();
  }

  /** Why nothing can be replayed from this view; empty where all is well. */
  public Optional<String> notReady() {
    if (committed.position().isEmpty()) {
      return Optional.of(reader.root() + " holds no commit of a mirror: start 'rowlog run' on it first");
    }
    SourcePosition position = SourcePosition.parse(committed.position().get());
    return position.phase() == SourcePosition.Phase.STREAMING
        ? Optional.empty()
        : Optional.of("the first snapshot is not complete");
  }

  long commitOffset() {
    return committed.commitOffset();
  }

  private static List<ReplayTable> tables(DirectoryReader reader, TablePatterns patterns,
      Map<TableId, SchemaVersion> schemas, TableNotes notes) {
    List<ReplayTable> tables = new ArrayList<>();
    schemas.forEach((id, version) -> {
      TopicPartition log = TopicPartition.of(version.topic());
      if (patterns.matches(id) && !notes.notComplete().contains(id) && reader.partitions().contains(log)) {
        tables.add(ReplayTable.of(version, reader.topicId(log).toString()));
      }
    });
    return List.copyOf(tables);
  }

  /** Tables that match and whose logs are complete, sorted; internal logs are none. */
  public List<ReplayTable> tables() {
    return tables;
  }

  /** Entries of the selection that match no table that is mirrored. */
  public List<String> unmatched() {
    return patterns.unmatched(List.copyOf(schemas.keySet()));
  }

  TableNotes notes() {
    return notes;
  }

  /** Exclusive. */
  public long endOffset(ReplayTable table) {
    return committed.end(table.log());
  }

  /** Highest offset of a tombstone that may have been cleaned away; -1 for none. */
  long tombstoneHorizon(ReplayTable table) {
    return horizons.getOrDefault(table.log(), -1L);
  }

  /**
   * At and beyond this offset no record was ever cleaned away: told by the offsets themselves, of which a log of ours uses every one.
   *
   * @param from where the target stands
   */
  long firstUncleaned(ReplayTable table, long from) {
    return firstUncleaned.computeIfAbsent(table.topic(), topic -> {
      long end = endOffset(table);
      long next = from;
      long dense = from;
      List<SegmentFile> segments = reader.segments(table.log());
      for (int i = 0; i < segments.size() && next < end; i++) {
        if (i + 1 < segments.size() && segments.get(i + 1).baseOffset() <= from) {
          continue;
        }
        BatchScanner batches = new BatchScanner(segments.get(i).file(), 0, segments.get(i).file().size(), SCAN_BYTES);
        while (next < end && batches.next()) {
          RecordBatch batch = batches.batch();
          if (batch.nextOffset() > from) {
            boolean isDense = batch.baseOffset() <= next && batch.recordCount() == batch.lastOffsetDelta() + 1;
            next = batch.nextOffset();
            dense = isDense ? dense : next;
          }
        }
      }
      return dense;
    });
  }

  /** A cursor up to this view's end. */
  public LogCursor cursor(ReplayTable table, long offset) {
    return reader.cursor(table.log(), offset);
  }

  /** The commits after the one of the position. */
  CommitHistory history(TargetPosition position, List<ReplayTable> tables) {
    Map<TopicPartition, Long> ends = new HashMap<>();
    tables.forEach(table -> position.table(table).ifPresent(known -> ends.put(table.log(), known.nextOffset())));
    return CommitHistory.after(reader, position.commitOffset(), ends);
  }

  /** Where a target stands that has everything of these tables. */
  public TargetPosition position(List<ReplayTable> whole) {
    TargetPosition position = new TargetPosition(commitOffset(), true, Map.of());
    for (ReplayTable table : whole) {
      position = position.with(table.topic(), new TablePosition(table.topicId(), endOffset(table), 1, false));
    }
    return position;
  }

  @Override
  public void close() {
    reader.close();
  }
}
