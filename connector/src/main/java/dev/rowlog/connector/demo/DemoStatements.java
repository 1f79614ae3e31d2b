package dev.rowlog.connector.demo;

import java.util.List;

/** The three changes that the demo shows beside the records that they become; the workload leaves their rows alone. */
final class DemoStatements {
  static final List<String> ALL = List.of(
      "UPDATE products SET price = 7.99 WHERE id = 195",
      "UPDATE order_items SET line = 9 WHERE order_id = 399 AND line = 2",
      "DELETE FROM customers WHERE id = 300");

  private DemoStatements() {}
}
