package dev.rowlog.connector.cli.replay;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.replay.loop.ReplayListener;
import dev.rowlog.connector.text.ProgressBar;
import dev.rowlog.connector.text.Quantity;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/** What a replay does, for people: lines, and on a terminal a bar that is drawn again in place. One thread. */
final class ReplayScreen implements ReplayListener, AutoCloseable {
  private final PrintStream out;
  private final boolean terminal;
  private final int columns;
  private final LongSupplier nanoClock;
  private final ProgressBar bar;
  private boolean isDrawn;

  ReplayScreen(PrintStream out, boolean terminal, int columns, LongSupplier nanoClock) {
    this.out = out;
    this.terminal = terminal;
    this.columns = columns;
    this.nanoClock = nanoClock;
    this.bar = new ProgressBar(nanoClock.getAsLong());
  }

  @Override
  public void building(TableId table, String reason) {
    line(table + " is built from offset 0" + (reason.isEmpty() ? "" : ": " + reason));
  }

  @Override
  public void resumed(TableId table, long offset) {
    line(table + " goes on at offset " + Quantity.count(offset));
  }

  @Override
  public void tableStopped(TableId table, String reason) {
    line(table + " stands still, its log misses changes: " + reason);
  }

  @Override
  public void tableNotComplete(TableId table) {
    line(table + " is left out until it has been read from the source");
  }

  @Override
  public void notReady(String reason) {
    line("waiting: " + reason);
  }

  @Override
  public void retrying(String reason, Duration pause) {
    line(reason + "; trying again in " + Quantity.duration(pause));
  }

  @Override
  public void moved(long records, long recordsLeft) {
    long now = nanoClock.getAsLong();
    if (bar.moved(records, recordsLeft, now) && terminal) {
      clear();
      String text = bar.line(now);
      out.print(text.length() < columns ? text : text.substring(0, columns - 1));
      out.flush();
      isDrawn = true;
    }
  }

  private void line(String text) {
    clear();
    out.println(text);
  }

  /** Takes the bar away. */
  void clear() {
    if (isDrawn) {
      out.print("\r\u001B[K");
      out.flush();
      isDrawn = false;
    }
  }

  long records() {
    return bar.records();
  }

  long elapsedMs() {
    return bar.elapsed(nanoClock.getAsLong()).toMillis();
  }

  String summary() {
    long now = nanoClock.getAsLong();
    return Quantity.count(bar.records()) + " records in " + Quantity.duration(bar.elapsed(now))
        + (bar.records() == 0 ? "" : ", " + Quantity.count(Math.round(bar.perSecond(now))) + " a second");
  }

  @Override
  public void close() {
    clear();
  }
}
