package dev.rowlog.connector.capture.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.capture.preflight.Finding.Kind;
import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.TablePatterns;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server as it comes out of the box, and one that has nothing left to give. */
class SmallServerIT {

  private static List<Kind> kinds(EmbeddedPostgres server) {
    SourceAddress address = new SourceAddress("localhost", server.getPort(), "postgres", "postgres", "postgres",
        Map.of());
    return Preflight.check(address, TablePatterns.parse("public.t"), "rowlog", "rowlog").findings().stream()
        .map(Finding::kind).toList();
  }

  private static EmbeddedPostgres start(String... settings) throws Exception {
    EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder().setLocaleConfig("locale", "C");
    for (int i = 0; i < settings.length; i += 2) {
      builder.setServerConfig(settings[i], settings[i + 1]);
    }
    EmbeddedPostgres server = builder.start();
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create table t (id int primary key)");
    }
    return server;
  }

  @Test
  void shouldSayThatTheWriteAheadLogIsNotLogical() throws Exception {
    // Given
    try (EmbeddedPostgres server = start("wal_level", "replica")) {
      // When
      List<Kind> kinds = kinds(server);

      // Then
      assertThat(kinds).containsExactly(Kind.WAL_LEVEL);
    }
  }

  @Test
  void shouldSayThatSlotsAndSendersAreUsedUp() throws Exception {
    // Given
    try (EmbeddedPostgres server = start("wal_level", "logical", "max_replication_slots", "1", "max_wal_senders", "0");
        Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("select pg_create_logical_replication_slot('other', 'pgoutput')");

      // When
      List<Kind> kinds = kinds(server);

      // Then
      assertThat(kinds).containsExactly(Kind.SLOTS_USED_UP, Kind.SENDERS_USED_UP);
    }
  }
}
