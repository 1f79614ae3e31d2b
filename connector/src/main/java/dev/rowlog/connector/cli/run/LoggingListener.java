package dev.rowlog.connector.cli.run;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.connector.mirror.MirrorListener;
import dev.rowlog.connector.text.Quantity;
import dev.rowlog.engine.cleaner.CleaningReport;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Turns what a mirror does into lines of the log. Any thread. */
final class LoggingListener implements MirrorListener {
  private static final int PROGRESS_STEPS = 10;

  private final Logger log;
  private final int rowsPerTransaction;
  private final RowLines rows;
  private final Map<TableId, Integer> steps = new ConcurrentHashMap<>();

  /** @param rowsPerTransaction {@code logging.rows}; 0 for none */
  LoggingListener(Logger log, int rowsPerTransaction, LongSupplier nanoClock) {
    this.log = log;
    this.rowsPerTransaction = rowsPerTransaction;
    this.rows = new RowLines(log::info, nanoClock);
  }

  @Override
  public int recordsPerTransaction() {
    return rowsPerTransaction;
  }

  @Override
  public void tableRefused(TableId table, String reason) {
    log.warn("{} is left out: {}", table, reason);
  }

  @Override
  public void slotWaiting(String slot, String reason) {
    log.warn("slot {} cannot be made yet: {}", slot, reason);
  }

  @Override
  public void slotCreated(String slot, Lsn consistentPoint) {
    log.info("slot {} made at {}", slot, consistentPoint);
  }

  @Override
  public void snapshotProgress(TableId table, long rows, long total) {
    // Ten lines a table at most, however large it is.
    int step = total <= 0 ? 0 : (int) Math.min(PROGRESS_STEPS, rows * PROGRESS_STEPS / total);
    Integer before = steps.put(table, step);
    if (before == null || before < step) {
      log.info("snapshot of {}: {} rows{}", table, Quantity.count(rows),
          total > 0 ? " of about " + Quantity.count(total) : "");
    }
  }

  @Override
  public void snapshotDone(long rows, Duration elapsed) {
    log.info("snapshot done: {} rows in {}", Quantity.count(rows), Quantity.duration(elapsed));
  }

  @Override
  public void streaming(Lsn from) {
    log.info("streaming from {}", from);
  }

  @Override
  public void committed(CommittedTransaction transaction) {
    if (rowsPerTransaction > 0) {
      rows.show(transaction);
    }
  }

  @Override
  public void tableStopped(TableId table, String reason) {
    log.error("{} stopped: {}", table, reason);
  }

  @Override
  public void failure(String message, Duration pause) {
    log.warn("{}; trying again in {}", message, Quantity.duration(pause));
  }

  @Override
  public void restarted(int restarts) {
    log.info("start {} after a failure", restarts);
  }

  @Override
  public void cleaned(CleaningReport report) {
    log.info("cleaned {} from {} to {}: {} records became {}, {} became {}", report.log(), report.firstDirtyOffset(),
        report.endOffset(),
        Quantity.count(report.recordsIn()), Quantity.count(report.recordsOut()), Quantity.bytes(report.bytesBefore()),
        Quantity.bytes(report.bytesAfter()));
  }
}
