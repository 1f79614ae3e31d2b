package dev.rowlog.connector.demo;

import java.util.List;

/** The three changes that the demo shows beside the records that they become; the workload leaves their rows alone. */
final class DemoStatements {
  static final List<Change> ALL = List.of(
      new Change("UPDATE products SET price = 7.99 WHERE id = 195", "price"),
      new Change("UPDATE order_items SET line = 9 WHERE order_id = 399 AND line = 2", "line"),
      new Change("DELETE FROM customers WHERE id = 300", ""));

  private DemoStatements() {}

  /**
   * @param column whose new value is to be seen; empty where none is
   */
  record Change(String sql, String column) {}
}
