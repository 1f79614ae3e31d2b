package dev.rowlog.connector.catalog;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Opens connections to the source, each with D3's pins. Any thread; whoever opens closes. */
public final class SourceConnections {
  private final SourceAddress address;
  private final int majorVersion;
  private final SessionPins pins;

  private SourceConnections(SourceAddress address, int majorVersion) {
    this.address = address;
    this.majorVersion = majorVersion;
    this.pins = SessionPins.of(majorVersion);
  }

  /**
   * Asks the server for its version, on which the pins depend: a setting that it does not know would refuse the connection.
   *
   * @throws SQLException where it cannot be reached or refuses us
   */
  public static SourceConnections open(SourceAddress address) throws SQLException {
    try (Connection connection = DriverManager.getConnection(address.jdbcUrl(), address.properties())) {
      return new SourceConnections(address, connection.getMetaData().getDatabaseMajorVersion());
    }
  }

  public SourceAddress address() {
    return address;
  }

  public int majorVersion() {
    return majorVersion;
  }

  public SessionPins pins() {
    return pins;
  }

  /** For a pool: with {@link SessionPins#initSql} as its first statement. */
  public Properties properties() {
    Properties properties = address.properties();
    String own = properties.getProperty("options", "");
    properties.setProperty("options", own.isEmpty() ? pins.options() : own + " " + pins.options());
    return properties;
  }

  /** A connection in autocommit mode. */
  public Connection connect() throws SQLException {
    return initialised(DriverManager.getConnection(address.jdbcUrl(), properties()));
  }

  /** A connection that speaks the replication protocol: simple statements only. */
  public Connection connectForReplication() throws SQLException {
    Properties properties = properties();
    properties.setProperty("replication", "database");
    properties.setProperty("preferQueryMode", "simple");
    properties.setProperty("assumeMinServerVersion", "15");
    return initialised(DriverManager.getConnection(address.jdbcUrl(), properties));
  }

  private Connection initialised(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(pins.initSql());
      return connection;
    } catch (SQLException e) {
      try {
        connection.close();
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }
}
