package dev.rowlog.connector.demo;

import dev.rowlog.connector.mirror.CommittedRecord;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.connector.mirror.RecordLine;
import java.io.PrintStream;
import java.util.Locale;

/** One screen of output: ticks with a figure and the time, statements with their records below. Any thread. */
final class DemoScreen {
  private static final int MIN_WIDTH = 40;
  private static final int MAX_WIDTH = 118;
  private static final String GREEN = "\u001B[32m";
  private static final String DIM = "\u001B[2m";
  private static final String RESET = "\u001B[0m";

  private final PrintStream out;
  private final int width;
  private final boolean colour;
  private String pending = "";

  DemoScreen(PrintStream out, int columns, boolean terminal) {
    this.out = out;
    this.width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, columns - 1));
    this.colour = terminal;
  }

  synchronized void line(String text) {
    clearPending();
    out.println(text);
  }

  /** What is being done, before it takes some seconds: on a terminal until its tick replaces it. */
  synchronized void doing(String text) {
    clearPending();
    String line = RecordLine.cut("… " + text, width);
    if (colour) {
      pending = line;
      out.print(pending);
    } else {
      out.println(line);
    }
    out.flush();
  }

  /** As {@link #doing}, for what is over at once: only a terminal gets it. */
  synchronized void glimpse(String text) {
    if (colour) {
      doing(text);
    }
  }

  /** A step that is done. */
  synchronized void tick(String name, String figure, long elapsedMs) {
    clearPending();
    String time = String.format(Locale.ROOT, "%.1f s", elapsedMs / 1000.0);
    String head = String.format(Locale.ROOT, "%-15s ", name);
    String left = head + RecordLine.cutMiddle(figure, width - 2 - length(head) - 2 - time.length());
    int blanks = Math.max(2, width - 2 - length(left) - time.length());
    out.println(painted(GREEN, "✓") + " " + left + " ".repeat(blanks) + painted(DIM, time));
  }

  /** The last word: all is well. */
  synchronized void verdict(String text) {
    clearPending();
    out.println(painted(GREEN, "✓") + " " + text);
  }

  /** A step that found something wrong. */
  synchronized void cross(String text) {
    clearPending();
    out.println("✗ " + text);
  }

  synchronized void statement(String sql) {
    clearPending();
    out.println("  " + RecordLine.cut(sql, width - 2));
  }

  /** The records that a transaction became, cut to the width. */
  void records(CommittedTransaction transaction) {
    records(transaction, "");
  }

  /**
   * @param column whose value stays whole wherever the rest is cut
   */
  synchronized void records(CommittedTransaction transaction, String column) {
    clearPending();
    for (CommittedRecord committed : transaction.records()) {
      out.println("  " + RecordLine.of(committed, column, width - 2));
    }
    long more = transaction.recordCount() - transaction.records().size();
    if (more > 0) {
      out.println("  → and " + more + " more");
    }
  }

  private void clearPending() {
    if (!pending.isEmpty()) {
      out.print("\r" + " ".repeat(length(pending)) + "\r");
      pending = "";
    }
  }

  private String painted(String style, String text) {
    return colour ? style + text + RESET : text;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
