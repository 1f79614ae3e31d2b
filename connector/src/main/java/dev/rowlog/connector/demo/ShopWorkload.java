package dev.rowlog.connector.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What happens in a shop: orders placed, paid, changed and cancelled, prices and balances updated, keys changed, some
 * transactions rolled back. The rows
 * that {@link DemoStatements} shows later are left alone. One thread.
 */
final class ShopWorkload {
  static final int TRANSACTIONS = 400;
  private static final int ORDERS = 400;
  private static final int PRODUCTS = 190;
  private static final int CUSTOMERS = 290;

  private final Connection connection;
  private final RandomGenerator random;
  private final List<Long> open = new ArrayList<>();
  private int rolledBack;

  /** What was done: committed transactions, and those rolled back. */
  record Done(int committed, int rolledBack) {}

  ShopWorkload(Connection connection, RandomGenerator random) {
    this.connection = connection;
    this.random = random;
  }

  Done run() throws SQLException {
    connection.setAutoCommit(false);
    for (int i = 0; i < TRANSACTIONS; i++) {
      step(i);
      if (random.nextInt(20) == 0) {
        connection.rollback();
        rolledBack++;
      } else {
        connection.commit();
      }
    }
    connection.setAutoCommit(true);
    return new Done(TRANSACTIONS - rolledBack, rolledBack);
  }

  private void step(int number) throws SQLException {
    switch (number % 8) {
      case 0, 1 -> placeOrder();
      case 2, 3 -> payOrder();
      case 4 -> update("update products set price = price * 1.01 where id between ? and ?", product(), 25);
      case 5 ->
        update("update customers set balance = balance + 1, tags = tags || array['paid'] where id between ? and ?",
            customer(), 15);
      case 6 -> changeKeys();
      default -> cancelOrder();
    }
  }

  private void placeOrder() throws SQLException {
    long order;
    try (PreparedStatement insert = connection
        .prepareStatement("insert into orders (customer_id) values (?) returning id")) {
      insert.setLong(1, customer());
      try (ResultSet id = insert.executeQuery()) {
        id.next();
        order = id.getLong(1);
      }
    }
    try (PreparedStatement insert = connection.prepareStatement("insert into order_items values (?, ?, ?, ?)")) {
      int lines = 1 + random.nextInt(4);
      for (int line = 1; line <= lines; line++) {
        insert.setLong(1, order);
        insert.setInt(2, line);
        insert.setLong(3, product());
        insert.setInt(4, 1 + random.nextInt(9));
        insert.addBatch();
      }
      insert.executeBatch();
    }
    open.add(order);
  }

  private void payOrder() throws SQLException {
    long order = 1 + random.nextInt(ORDERS - 10);
    execute("update orders set status = 'paid' where id = ?", order);
    execute("update customers set balance = balance - 7.5 where id = (select customer_id from orders where id = ?)",
        order);
  }

  /** The composite key of an order's lines, all at once, and a product's, which its order lines follow. */
  private void changeKeys() throws SQLException {
    long order = 1 + random.nextInt(ORDERS - 10);
    execute("update order_items set line = line + 10 where order_id = ?", order);
    if (random.nextInt(4) == 0) {
      execute("update products set id = id + 1000 where id = ?", (long) (PRODUCTS - 60 + random.nextInt(60)));
    }
  }

  private void cancelOrder() throws SQLException {
    if (!open.isEmpty()) {
      execute("delete from orders where id = ?", open.remove(random.nextInt(open.size())));
    }
  }

  private void update(String sql, long first, int count) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, first);
      statement.setLong(2, first + count - 1);
      statement.executeUpdate();
    }
  }

  private void execute(String sql, long parameter) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, parameter);
      statement.executeUpdate();
    }
  }

  private long customer() {
    return 1 + random.nextInt(CUSTOMERS - 15);
  }

  /** One of those whose key never changes. */
  private long product() {
    return 1 + random.nextInt(PRODUCTS - 90);
  }
}
