package dev.rowlog.connector.table;

import dev.rowlog.connector.mapping.MappingException;
import dev.rowlog.connector.mapping.RowJson;
import dev.rowlog.engine.error.RecordTooLargeException;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/**
 * One of the readers that share the work of a first snapshot: rows of a range become batches in the table's log. One
 * thread; several readers may append to one log.
 */
final class SnapshotReader implements Callable<Void> {
  private static final int BATCH_BYTES = 128 << 10;

  private final TableReader reader;
  private final Queue<SnapshotWork> works;
  private final long timestampMs;
  private final List<Header> headers;
  private final FirstSnapshot.Progress progress;
  private final BooleanSupplier cancelled;
  private final Map<SnapshotTable, RowJson> mappings = new HashMap<>();
  private final Map<Compression, RecordBatchEncoder> batches = new EnumMap<>(Compression.class);

  /**
   * @param headers of every record
   * @param cancelled true where reading is to end soon, its work being for nothing
   */
  SnapshotReader(
      Connection connection,
      Queue<SnapshotWork> works,
      long timestampMs,
      List<Header> headers,
      FirstSnapshot.Progress progress,
      BooleanSupplier cancelled) {
    this.reader = new TableReader(connection);
    this.works = works;
    this.timestampMs = timestampMs;
    this.headers = List.copyOf(headers);
    this.progress = progress;
    this.cancelled = cancelled;
  }

  @Override
  public Void call() throws SQLException {
    for (SnapshotWork work = works.poll(); work != null && !cancelled.getAsBoolean(); work = works.poll()) {
      if (work.table().failure() == null) {
        read(work);
      }
    }
    return null;
  }

  private void read(SnapshotWork work) throws SQLException {
    SnapshotTable table = work.table();
    RowJson json = mappings.computeIfAbsent(table, key -> new RowJson(key.schema()));
    RecordBatchEncoder batch = batches.computeIfAbsent(table.log().config().compression(), RecordBatchEncoder::new);
    batch.begin();
    try {
      long rows = reader.read(table.schema(), work.leaf(), work.range(), row -> {
        add(table, batch, json.key(row), json.value(row));
        return batch.recordCount() > 0 || !cancelled.getAsBoolean() && table.failure() == null;
      });
      if (batch.recordCount() > 0) {
        table.log().append(batch);
      }
      progress.rows(table.id(), table.add(rows), work.expectedRows());
    } catch (MappingException e) {
      table.fail(e.getMessage());
    }
  }

  /** A row that finds no room beside others may have room in a batch of its own. */
  private void add(SnapshotTable table, RecordBatchEncoder batch, byte[] key, byte[] value) {
    try {
      try {
        batch.add(timestampMs, key, value, headers);
      } catch (RecordTooLargeException e) {
        if (batch.recordCount() == 0) {
          throw e;
        }
        append(table, batch);
        batch.add(timestampMs, key, value, headers);
      }
      if (batch.sizeBytes() >= BATCH_BYTES) {
        append(table, batch);
      }
    } catch (RecordTooLargeException e) {
      throw MappingException.tooLarge(table.id(), key, e);
    }
  }

  private static void append(SnapshotTable table, RecordBatchEncoder batch) {
    table.log().append(batch);
    batch.begin();
  }
}
