package dev.rowlog.connector.table;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.rowlog.connector.catalog.SourceConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Our pooled SQL connections to the source, each with the session pins. Any thread; whoever takes a connection closes
 * it, which gives it back.
 */
public final class SourcePool implements AutoCloseable {
  private static final Duration TAKE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);
  /** Below this a pool of ours would never give an idle connection back. */
  private static final int MIN_IDLE = 0;

  private final HikariDataSource dataSource;

  private SourcePool(HikariDataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Takes no connection yet. */
  public static SourcePool open(SourceConnections connections, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("rowlog-source");
    config.setJdbcUrl(connections.address().jdbcUrl());
    config.setDataSourceProperties(connections.properties());
    config.setConnectionInitSql(connections.pins().initSql());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(MIN_IDLE);
    config.setIdleTimeout(IDLE_TIMEOUT.toMillis());
    config.setConnectionTimeout(TAKE_TIMEOUT.toMillis());
    // A database that is away at this moment is the caller's failure to handle, not the pool's.
    config.setInitializationFailTimeout(-1);
    return new SourcePool(new HikariDataSource(config));
  }

  /**
   * A connection in autocommit mode.
   *
   * @throws SQLException where none comes free, or the source does not answer, within 10 s
   */
  public Connection take() throws SQLException {
    return dataSource.getConnection();
  }

  @Override
  public void close() {
    dataSource.close();
  }
}
