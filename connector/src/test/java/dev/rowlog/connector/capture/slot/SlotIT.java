package dev.rowlog.connector.capture.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.capture.slot.SlotRefusedException.Reason;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.SourcePosition.Phase;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.replication.PGReplicationStream;

class SlotIT {
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

  private TestDatabase database;
  private SourceConnections connections;
  private String slot;

  @BeforeEach
  void createDatabase() throws Exception {
    database = PostgresFixture.shared().newDatabase();
    database.execute("create table t (id int primary key)", "insert into t values (1)",
        "create publication p for table t");
    connections = SourceConnections.open(database.address());
    slot = database.name();
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  private SourcePosition create() throws Exception {
    try (SlotCreation.Created created = new SlotCreation(connections).create(slot, LONG_ENOUGH)) {
      SourceIdentity source = created.source();
      return new SourcePosition(source.systemIdentifier(), source.timeline(), source.database(), slot, Phase.SNAPSHOT,
          created.consistentPoint(), 0);
    }
  }

  private void assertRefused(SourcePosition position, Reason reason, String words) {
    assertThatThrownBy(() -> new SlotGuard(connections).check(position)).isInstanceOf(SlotRefusedException.class)
        .satisfies(e -> assertThat(((SlotRefusedException) e).reason()).isEqualTo(reason)).hasMessageContaining(words);
  }

  @Test
  void shouldExportTheSnapshotOfItsConsistentPointUntilItIsClosed() throws Exception {
    // Given
    try (SlotCreation.Created created = new SlotCreation(connections).create(slot, LONG_ENOUGH);
        Connection reader = connections.connect();
        Statement statement = reader.createStatement()) {
      database.execute("insert into t values (2)");

      // When
      statement.execute("begin isolation level repeatable read read only");
      statement.execute("set transaction snapshot '" + created.snapshot() + "'");

      // Then
      try (ResultSet rows = statement.executeQuery("select count(*) from public.t")) {
        rows.next();
        assertThat(rows.getInt(1)).isEqualTo(1);
      }
      assertThat(created.source().database()).isEqualTo(database.name());
      assertThat(database.queryText("select confirmed_flush_lsn from pg_replication_slots where slot_name = ?", slot))
          .isEqualTo(created.consistentPoint().toString());
    }
  }

  @Test
  void shouldGiveUpInTimeAndNameTheTransactionThatItWaitsFor() throws Exception {
    // Given
    SlotCreation creation = new SlotCreation(connections);
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      statement.execute("set application_name = 'night job'; begin; insert into t values (3)");

      // When / Then
      assertThatThrownBy(() -> creation.create(slot, Duration.ofMillis(200))).isInstanceOf(SlotBusyException.class)
          .hasMessageContaining("could not be made within 200 ms").hasMessageContaining("application night job")
          .hasMessageContaining("process " + other.unwrap(PGConnection.class).getBackendPID());
    }
    assertThat(database.queryText("select count(*) from pg_replication_slots where slot_name = ?", slot))
        .isEqualTo("0");
  }

  @Test
  void shouldDropASlotOnlyOnce() throws Exception {
    // Given
    create();
    SlotCreation creation = new SlotCreation(connections);

    // When
    boolean first = creation.drop(slot);
    boolean second = creation.drop(slot);

    // Then
    assertThat(first).isTrue();
    assertThat(second).isFalse();
  }

  @Test
  void shouldLetOurOwnSlotGoOn() throws Exception {
    // Given
    SourcePosition position = create();

    // When / Then
    assertThatCode(() -> new SlotGuard(connections).check(position)).doesNotThrowAnyException();
    assertThatCode(() -> new SlotGuard(connections).check(position.at(new Lsn(position.lsn().value() + 1_000_000), 0)))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldRefuseASlotThatIsGone() throws Exception {
    // Given
    SourcePosition position = create();
    new SlotCreation(connections).drop(slot);

    // When / Then
    assertRefused(position, Reason.MISSING, "does not exist any more");
  }

  @Test
  void shouldRefuseASlotThatWasMadeAgain() throws Exception {
    // Given
    SourcePosition position = create();
    new SlotCreation(connections).drop(slot);
    database.execute("insert into t values (2)");
    create();

    // When / Then
    assertRefused(position, Reason.AHEAD, "beyond our last commit at " + position.lsn());
  }

  @Test
  void shouldRefuseASlotThatSomebodyElseReadFrom() throws Exception {
    // Given
    SourcePosition position = create();
    database.execute("insert into t values (2)",
        "select pg_logical_slot_get_binary_changes('" + slot
            + "', null, null, 'proto_version', '1', 'publication_names', 'p')");

    // When / Then
    assertRefused(position, Reason.AHEAD, "another source.slot");
  }

  @Test
  void shouldRefuseASlotOfAnotherPluginDatabaseOrKind() throws Exception {
    // Given
    SourcePosition position = create();
    SlotCreation creation = new SlotCreation(connections);

    // When / Then
    creation.drop(slot);
    database.execute("select pg_create_physical_replication_slot('" + slot + "', true)");
    assertRefused(position, Reason.NOT_OURS, "physical");
    creation.drop(slot);
    try (TestDatabase other = PostgresFixture.shared().newDatabase()) {
      other.execute("select pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
      assertRefused(position, Reason.NOT_OURS, other.name());
    }
  }

  @Test
  void shouldRefuseAnotherClusterAnotherTimelineAndAnotherDatabase() throws Exception {
    // Given
    SourcePosition position = create();

    // When / Then
    assertRefused(
        new SourcePosition("1", position.timeline(), position.database(), slot, Phase.STREAMING, position.lsn(), 0),
        Reason.OTHER_SYSTEM, "another cluster");
    assertRefused(new SourcePosition(position.systemIdentifier(), position.timeline() + 1, position.database(), slot,
        Phase.STREAMING,
        position.lsn(), 0), Reason.OTHER_TIMELINE, "timeline " + position.timeline());
    assertRefused(new SourcePosition(position.systemIdentifier(), position.timeline(), "elsewhere", slot,
        Phase.STREAMING, position.lsn(),
        0), Reason.NOT_OURS, "the mirror is of elsewhere");
  }

  @Test
  void shouldNameTheProcessThatReadsFromTheSlot() throws Exception {
    // Given
    SourcePosition position = create();
    try (Connection replication = connections.connectForReplication();
        PGReplicationStream stream = replication.unwrap(PGConnection.class).getReplicationAPI().replicationStream()
            .logical()
            .withSlotName(slot).withSlotOption("proto_version", "1").withSlotOption("publication_names", "p").start()) {
      assertThat(stream.isClosed()).isFalse();

      // When / Then
      assertRefused(position, Reason.ACTIVE,
          "in use by process " + replication.unwrap(PGConnection.class).getBackendPID());
    }
  }
}
