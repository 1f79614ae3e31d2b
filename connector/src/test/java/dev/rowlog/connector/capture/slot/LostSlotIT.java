package dev.rowlog.connector.capture.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.capture.slot.SlotRefusedException.Reason;
import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.SourcePosition.Phase;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server of its own: it throws away the write-ahead log of every slot. */
class LostSlotIT {

  @Test
  void shouldRefuseASlotWhoseWriteAheadLogIsGone() throws Exception {
    // Given
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().setLocaleConfig("locale", "C")
        .setServerConfig("wal_level", "logical")
        .setServerConfig("max_slot_wal_keep_size", "1MB").setServerConfig("min_wal_size", "32MB")
        .setServerConfig("max_wal_size", "32MB")
        .start()) {
      SourceConnections connections = SourceConnections.open(
          new SourceAddress("localhost", server.getPort(), "postgres", "postgres", "postgres", Map.of()));
      SourcePosition position;
      try (SlotCreation.Created created = new SlotCreation(connections).create("rowlog", Duration.ofSeconds(60))) {
        position = new SourcePosition(created.source().systemIdentifier(), created.source().timeline(), "postgres",
            "rowlog",
            Phase.STREAMING, created.consistentPoint(), 0);
      }
      try (Connection connection = connections.connect();
          Statement statement = connection.createStatement()) {
        for (int i = 0; i < 5; i++) {
          statement.execute("select pg_logical_emit_message(false, 'fill', 'x'); select pg_switch_wal()");
        }
        statement.execute("checkpoint");
      }

      // When / Then
      assertThatThrownBy(() -> new SlotGuard(connections).check(position)).isInstanceOf(SlotRefusedException.class)
          .satisfies(e -> assertThat(((SlotRefusedException) e).reason()).isEqualTo(Reason.LOST))
          .hasMessageContaining("slot rowlog is lost").hasMessageContaining("another source.slot");
    }
  }
}
