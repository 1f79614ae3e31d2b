package dev.rowlog.connector.table;

/**
 * A run of a table's pages.
 *
 * @param from inclusive
 * @param to exclusive; {@link #OPEN} for everything from {@code from} on
 */
record PageRange(long from, long to) {
  static final long OPEN = -1;

  PageRange {
    if (from < 0 || to != OPEN && to <= from) {
      throw new IllegalArgumentException("no pages from " + from + " to " + to);
    }
  }

  /** A condition on {@code ctid}, which PostgreSQL from 14 on reads as a TID range scan. */
  String condition() {
    String start = "ctid >= '(" + from + ",0)'";
    return to == OPEN ? start : start + " and ctid < '(" + to + ",0)'";
  }
}
