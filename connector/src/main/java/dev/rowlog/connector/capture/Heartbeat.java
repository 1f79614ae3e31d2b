package dev.rowlog.connector.capture;

import dev.rowlog.connector.catalog.ConnectionSource;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourceEvent;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A logical message of ours in the stream: it shows that the stream goes round, moves an idle slot on, and tells that everything before it has
 * arrived. It is outside any transaction and needs no table. Any thread.
 */
public final class Heartbeat {
  /** Prefix of our messages. */
  public static final String PREFIX = "rowlog";

  private final ConnectionSource connections;

  public Heartbeat(ConnectionSource connections) {
    this.connections = connections;
  }

  /**
   * Emits one.
   *
   * @return where it stands in the write-ahead log: a commit at or below it has arrived when the message has
   */
  public Lsn emit(String token) throws SQLException {
    try (Connection connection = connections.open();
        PreparedStatement statement = connection
            .prepareStatement("select pg_catalog.pg_logical_emit_message(false, ?, ?)")) {
      statement.setString(1, PREFIX);
      statement.setString(2, token);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return Lsn.parse(result.getString(1));
      }
    }
  }

  /** True where the message is one of ours with this token. */
  public static boolean is(SourceEvent.Message message, String token) {
    return message.prefix().equals(PREFIX) && new String(message.content(), StandardCharsets.UTF_8).equals(token);
  }
}
