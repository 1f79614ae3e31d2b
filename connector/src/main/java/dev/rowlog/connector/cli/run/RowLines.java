package dev.rowlog.connector.cli.run;

import dev.rowlog.connector.mirror.CommittedRecord;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.connector.mirror.RecordLine;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Shows the records of transactions, so many lines a second at most: a log is for people, and a bulk load is not. What
 * it leaves out it counts, and says with the next line that it may show. Any thread.
 */
final class RowLines {
  static final int LINES_PER_SECOND = 20;
  private static final int WIDTH = 160;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Consumer<String> out;
  private final LongSupplier nanoClock;
  private long secondStart;
  private int shown;
  private long leftOut;

  RowLines(Consumer<String> out, LongSupplier nanoClock) {
    this.out = out;
    this.nanoClock = nanoClock;
    this.secondStart = nanoClock.getAsLong();
  }

  synchronized void show(CommittedTransaction transaction) {
    if (transaction.recordCount() == 0) {
      return;
    }
    long now = nanoClock.getAsLong();
    if (now - secondStart >= SECOND) {
      secondStart = now;
      shown = 0;
    }
    long left = transaction.recordCount();
    for (CommittedRecord committed : transaction.records()) {
      if (shown == LINES_PER_SECOND) {
        break;
      }
      sayLeftOut();
      out.accept(RecordLine.of(committed, WIDTH));
      shown++;
      left--;
    }
    leftOut += left;
  }

  private void sayLeftOut() {
    if (leftOut > 0) {
      out.accept("→ and " + leftOut + " more");
      leftOut = 0;
    }
  }
}
