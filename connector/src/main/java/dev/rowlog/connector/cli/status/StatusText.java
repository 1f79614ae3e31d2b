package dev.rowlog.connector.cli.status;

import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.connector.mirror.TableState;
import dev.rowlog.connector.mirror.TableStatus;
import dev.rowlog.connector.text.Quantity;
import dev.rowlog.connector.text.TextTable;
import dev.rowlog.connector.text.WordWrap;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** A status for people: one sentence, then a line a table. Pure but for the printing. */
final class StatusText {
  private StatusText() {}

  static void print(MirrorStatus status, Instant now, PrintStream out, int width) {
    out.println(WordWrap.wrap(sentence(status, now), width, "\n"));
    TextTable table = new TextTable("TABLE", "STATE", ">END OFFSET", ">SIZE", "TOPIC");
    for (TableStatus each : status.tables()) {
      table.row(each.table().unambiguous(), state(each), Quantity.count(each.endOffset()),
          Quantity.bytes(each.sizeBytes()),
          each.topic());
    }
    table.print(out, width);
    for (TableStatus refused : status.refused()) {
      out.println(WordWrap.wrap(
          refused.table().unambiguous() + (refused.state() == TableState.STOPPED ? " stopped: " : " is left out: ")
              + refused.reason(),
          width - 2, "\n  "));
    }
  }

  static String sentence(MirrorStatus status, Instant now) {
    long stopped = status.tables().stream().filter(table -> table.state() == TableState.STOPPED).count();
    long left = status.refused().size() - stopped;
    long mirrored = status.tables().size() - left - stopped;
    String tables = mirrored + (mirrored == 1 ? " table" : " tables") + " of " + status.database();
    String rest = (stopped == 0 ? "" : "; " + stopped + " STOPPED") + (left == 0 ? "" : "; " + left + " left out");
    String since = " for " + Quantity.duration(Duration.between(status.stateSince(), now));
    String sentence = switch (status.state()) {
      case STREAMING -> "Mirroring " + tables + lag(status) + ", committed up to " + status.committedLsn() + rest;
      case SNAPSHOTTING -> "Reading " + tables + " for the first time" + since + rest;
      case STARTING -> "Starting" + since;
      case RECOVERING -> "Not mirroring " + tables + since + ", trying again" + rest;
      case STOPPED -> "Stopped" + since;
    };
    boolean showError = status.lastError() != null && status.state() != MirrorState.STREAMING;
    return sentence + "." + (showError ? " Last error: " + status.lastError() : "");
  }

  private static String lag(MirrorStatus status) {
    return status.lag() == null ? "" : ", " + Quantity.duration(status.lag()) + " behind";
  }

  private static String state(TableStatus table) {
    String name = table.state().name().toLowerCase(Locale.ROOT);
    if (table.state() != TableState.SNAPSHOTTING) {
      return name;
    }
    return table.snapshotRowsTotal() > 0
        ? name + " " + Quantity.percent(Math.min(1, (double) table.snapshotRows() / table.snapshotRowsTotal()))
        : name + " " + Quantity.count(table.snapshotRows());
  }
}
