package dev.rowlog.connector.replay.opensearch;

import dev.rowlog.connector.replay.spi.ReplayTable;
import java.util.Locale;

/** Names that the engine takes: lower case, without its special characters. Pure. */
record IndexNames(String prefix) {

  /** What readers use: {@code <prefix><schema>.<table>}. */
  String alias(ReplayTable table) {
    String plain = prefix + table.id().schema() + "." + table.id().table();
    String legal = plain.toLowerCase(Locale.ROOT).replaceAll("[\\\\/*?\"<>| ,#:%\\s\\p{Cntrl}]", "_");
    return legal.matches("[-_+.].*") ? "t" + legal : legal;
  }

  /** One building of the table. */
  String index(ReplayTable table, int generation) {
    return alias(table) + String.format(Locale.ROOT, "-%06d", generation);
  }

  /** Every building of the table. */
  String pattern(ReplayTable table) {
    return alias(table) + "-*";
  }

  /** Where positions are kept. */
  String positions() {
    return prefix.toLowerCase(Locale.ROOT) + "rowlog-positions";
  }
}
