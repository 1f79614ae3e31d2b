package dev.rowlog.connector.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostgresFixtureIT {

  @Test
  void shouldOfferALogicalServerThatCommitsSynchronously() {
    // Given
    try (TestDatabase database = PostgresFixture.shared().newDatabase()) {
      // When
      String settings = database
          .queryText("select concat_ws(' ', current_setting('wal_level'), current_setting('synchronous_commit'),"
              + " current_setting('max_replication_slots')::int >= 20, current_setting('max_wal_senders')::int >= 20)");

      // Then
      assertThat(settings).isEqualTo("logical on t t");
    }
  }

  @Test
  void shouldLeaveNothingBehindWhenADatabaseIsClosed() {
    // Given
    TestDatabase other = PostgresFixture.shared().newDatabase();
    TestDatabase database = PostgresFixture.shared().newDatabase();
    database.newRole("secret", "replication");
    database.execute("select pg_create_logical_replication_slot('" + database.name() + "', 'pgoutput')");

    // When
    database.close();

    // Then
    assertThat(other.queryText("select (select count(*) from pg_database where datname = '" + database.name() + "')"
        + " + (select count(*) from pg_replication_slots where database = '" + database.name() + "')"
        + " + (select count(*) from pg_roles where rolname like '" + database.name() + "%')")).isEqualTo("0");
    other.close();
  }
}
