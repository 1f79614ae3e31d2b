package dev.rowlog.connector.replay.postgres;

import static dev.rowlog.connector.change.TableId.quote;

import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.Target;
import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.connector.replay.spi.TargetPosition;
import dev.rowlog.connector.replay.spi.TargetRow;
import dev.rowlog.connector.replay.spi.TargetRows;
import dev.rowlog.connector.table.SourcePool;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A row a row, in tables that it creates; rows and position in one transaction, which ends at a commit of the log.
 *
 * <p>Positions are rows of {@code rowlog.target_positions}; a table that is being built lies in schema {@code rowlog} until
 * it is moved to its place.
 */
public final class PostgresTarget implements Target {
  private static final String OWN = "rowlog";
  private static final String POSITIONS = OWN + ".target_positions";
  /** Longer than any batch takes: only a server that stands still is given up. */
  private static final String ANSWER_SECONDS = "120";

  private final String name;
  private final SourceAddress address;
  private final Optional<String> schema;
  private SourcePool pool;
  private Connection connection;

  /** Rows that readers see are in the open transaction. */
  private boolean holdsLiveRows;

  /** The position's text as we last saw or committed it; null for none. */
  private String known;

  private PostgresTarget(String name, SourceAddress address, Optional<String> schema) {
    this.name = name;
    this.address = address;
    this.schema = schema;
  }

  /**
   * Connects at the first use.
   *
   * @param name of the target, in its position's row
   * @param schema of every table; empty for the schema that it has in the source
   */
  public static PostgresTarget of(String name, SourceAddress address, Optional<String> schema) {
    Map<String, String> properties = new HashMap<>(address.driverProperties());
    properties.putIfAbsent("socketTimeout", ANSWER_SECONDS);
    return new PostgresTarget(name,
        new SourceAddress(address.host(), address.port(), address.database(), address.user(),
            address.password(), properties),
        schema);
  }

  @Override
  public String describe() {
    return "PostgreSQL at " + address.host() + ":" + address.port() + "/" + address.database();
  }

  private interface Work<T> {
    T on(Connection open) throws SQLException;
  }

  /** Anything that fails ends the transaction and the connection. */
  private <T> T ask(Work<T> work) {
    try {
      if (pool == null) {
        pool = SourcePool.open(SourceConnections.open(address), 1);
      }
      if (connection == null) {
        connection = pool.take();
        connection.setAutoCommit(false);
      }
      return work.on(connection);
    } catch (SQLException e) {
      disconnect();
      String state = e.getSQLState() == null ? "" : e.getSQLState();
      String said = describe() + ": " + String.valueOf(e.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
      throw isPassing(state) ? TargetException.unavailable(said, e) : TargetException.refused(said, e);
    } catch (TargetException e) {
      disconnect();
      throw e;
    }
  }

  /** Connection, resources, a lock or a serialization lost, shutdown, start: by class of PostgreSQL's appendix A; none at all is the pool's. */
  private static boolean isPassing(String state) {
    return state.isEmpty() || state.startsWith("08") || state.startsWith("53") || state.startsWith("40")
        || state.startsWith("57P")
        || state.startsWith("58") || state.equals("55P03") || state.equals("57014") || state.equals("25006");
  }

  private void disconnect() {
    Connection broken = connection;
    connection = null;
    holdsLiveRows = false;
    if (broken != null) {
      try {
        broken.rollback();
      } catch (SQLException e) {
        // The server ends the transaction with the connection.
      } finally {
        closeQuietly(broken);
      }
    }
  }

  private static void closeQuietly(Connection broken) {
    try {
      broken.close();
    } catch (SQLException e) {
      // The pool throws it away.
    }
  }

  @Override
  public Optional<TargetPosition> position() {
    return ask(open -> {
      open.rollback();
      ensureSchema(open, OWN);
      execute(open, "create table if not exists " + POSITIONS
          + " (name text primary key, position text not null, updated_at timestamptz not null default now())");
      try (PreparedStatement select = open.prepareStatement("select position from " + POSITIONS + " where name = ?")) {
        select.setString(1, name);
        try (ResultSet result = select.executeQuery()) {
          known = result.next() ? result.getString(1) : null;
        }
      }
      open.commit();
      return Optional.ofNullable(known).map(TargetPosition::parse);
    });
  }

  @Override
  public boolean isEmpty(ReplayTable table) {
    return !isThere(place(table));
  }

  private boolean isThere(TableId place) {
    return ask(open -> {
      try (PreparedStatement select = open.prepareStatement(
          "select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and c.relname = ?")) {
        select.setString(1, place.schema());
        select.setString(2, place.table());
        try (ResultSet result = select.executeQuery()) {
          boolean isThere = result.next();
          open.commit();
          return isThere;
        }
      }
    });
  }

  @Override
  public boolean holds(ReplayTable table, int generation) {
    return isThere(place(table)) || isThere(building(table, generation));
  }

  @Override
  public boolean rebuildsBeside() {
    return true;
  }

  @Override
  public String howToStartOver(ReplayTable table) {
    return "drop " + place(table)
        + " there, choose another schema for the target, or let 'rowlog replay --rebuild' replace it";
  }

  private TableId place(ReplayTable table) {
    return new TableId(schema.orElse(table.id().schema()), table.id().table());
  }

  /** A name of its own for each building, however long the table's is. */
  private TableId building(ReplayTable table, int generation) {
    return new TableId(OWN, buildings(table) + generation);
  }

  private String buildings(ReplayTable table) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256")
          .digest((name + "\n" + place(table)).getBytes(StandardCharsets.UTF_8));
      return "build_" + HexFormat.of().formatHex(digest, 0, 8) + "_";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public void create(ReplayTable table, int generation) {
    ask(open -> {
      String relation = building(table, generation).quoted();
      execute(open, "drop table if exists " + relation);
      execute(open, new TableSql(table, relation).create());
      open.commit();
      return null;
    });
  }

  @Override
  public void apply(List<TargetRows> rows, TargetPosition position) {
    ask(open -> {
      for (TargetRows table : rows) {
        write(open, table, position);
      }
      store(open, position);
      if (position.whole() || !holdsLiveRows) {
        commit(open, position);
      }
      return null;
    });
  }

  private void write(Connection open, TargetRows rows, TargetPosition position) throws SQLException {
    boolean isBuilding = position.table(rows.table()).orElseThrow().building();
    holdsLiveRows |= !isBuilding;
    TableId relation = isBuilding ? building(rows.table(), rows.generation()) : place(rows.table());
    TableSql sql = new TableSql(rows.table(), relation.quoted());
    executeBatch(open, sql.delete(), RowArrays.of(rows.deletes().stream().map(TargetRow::key).toList(), List.of()));
    executeBatch(open, sql.upsert(),
        RowArrays.of(rows.upserts().stream().map(TargetRow::value).toList(), sql.jsonColumns()));
  }

  private static void executeBatch(Connection open, String sql, RowArrays arrays) throws SQLException {
    if (arrays.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = open.prepareStatement(sql)) {
      statement.setString(1, arrays.rows());
      for (int i = 0; i < arrays.apart().size(); i++) {
        statement.setArray(i + 2, open.createArrayOf("text", arrays.apart().get(i)));
      }
      statement.executeUpdate();
    }
  }

  /** Holds only if nobody else has moved the target since we looked. */
  private void store(Connection open, TargetPosition position) throws SQLException {
    String sql = "insert into " + POSITIONS
        + " as p (name, position) values (?, ?) on conflict (name) do update set position = excluded.position,"
        + " updated_at = now() where p.position = ?";
    try (PreparedStatement statement = open.prepareStatement(sql)) {
      statement.setString(1, name);
      statement.setString(2, position.toJson());
      statement.setString(3, Objects.requireNonNullElse(known, ""));
      if (statement.executeUpdate() != 1) {
        throw TargetException.unavailable(describe() + " was moved by somebody else", null);
      }
      known = position.toJson();
    }
  }

  private void commit(Connection open, TargetPosition position) throws SQLException {
    open.commit();
    holdsLiveRows = false;
    known = position.toJson();
  }

  @Override
  public void publish(List<ReplayTable> tables, TargetPosition position) {
    ask(open -> {
      for (ReplayTable table : tables) {
        TableId built = building(table, position.table(table).orElseThrow().generation());
        TableId place = place(table);
        ensureSchema(open, place.schema());
        execute(open, "drop table if exists " + place.quoted());
        execute(open, "alter table " + built.quoted() + " set schema " + quote(place.schema()));
        execute(open, "alter table " + new TableId(place.schema(), built.table()).quoted() + " rename to "
            + quote(place.table()));
        dropLeftovers(open, table);
      }
      store(open, position);
      commit(open, position);
      return null;
    });
  }

  /** A role that may not create schemas can use one that is there. */
  private static void ensureSchema(Connection open, String wanted) throws SQLException {
    try (PreparedStatement select = open.prepareStatement("select 1 from pg_catalog.pg_namespace where nspname = ?")) {
      select.setString(1, wanted);
      try (ResultSet result = select.executeQuery()) {
        if (result.next()) {
          return;
        }
      }
    }
    execute(open, "create schema if not exists " + quote(wanted));
  }

  /** Buildings that were given up. */
  private void dropLeftovers(Connection open, ReplayTable table) throws SQLException {
    List<String> leftovers = new ArrayList<>();
    try (PreparedStatement select = open.prepareStatement("select c.relname from pg_catalog.pg_class c"
        + " join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and c.relkind = 'r' and starts_with(c.relname, ?)")) {
      select.setString(1, OWN);
      select.setString(2, buildings(table));
      try (ResultSet result = select.executeQuery()) {
        while (result.next()) {
          leftovers.add(result.getString(1));
        }
      }
    }
    for (String leftover : leftovers) {
      execute(open, "drop table " + new TableId(OWN, leftover).quoted());
    }
  }

  private static void execute(Connection open, String sql) throws SQLException {
    try (Statement statement = open.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    disconnect();
    if (pool != null) {
      pool.close();
    }
  }
}
