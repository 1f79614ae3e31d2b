package dev.rowlog.connector.capture;

import dev.rowlog.connector.capture.slot.SlotCreation;
import dev.rowlog.connector.capture.slot.SourceIdentity;
import dev.rowlog.connector.catalog.CatalogReader;
import dev.rowlog.connector.catalog.Relation;
import dev.rowlog.connector.catalog.SourceConnections;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.postgres.PostgresFixture;
import dev.rowlog.connector.postgres.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A database, a slot, a publication, a capture and a sink that commits. */
final class CaptureHarness implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final AtomicInteger tokens = new AtomicInteger();
  private final TestDatabase database;
  private final String slot;
  private final SourceConnections connections;
  private final SourceIdentity source;
  private final CommittingSink sink;
  private final List<TableSchema> tables;
  private final PostgresCapture capture;

  private CaptureHarness(TestDatabase database, SourceConnections connections, SlotCreation.Created created,
      List<TableSchema> tables,
      Map<String, String> debezium) {
    this.database = database;
    this.slot = created.slot();
    this.connections = connections;
    this.source = created.source();
    this.sink = new CommittingSink(created.consistentPoint());
    this.tables = tables;
    this.capture = new PostgresCapture(new CaptureSettings(connections, slot, slot, tables, debezium), sink,
        state -> {});
  }

  /** Runs the statements, then makes publication and slot for the tables. */
  static CaptureHarness open(String patterns, String... ddl) throws Exception {
    return open(patterns, Map.of(), ddl);
  }

  static CaptureHarness open(String patterns, Map<String, String> debezium, String... ddl) throws Exception {
    TestDatabase database = PostgresFixture.shared().newDatabase();
    database.execute(ddl);
    SourceConnections connections = SourceConnections.open(database.address());
    List<TableSchema> tables;
    try (Connection connection = connections.connect()) {
      tables = new CatalogReader(connection).relations(TablePatterns.parse(patterns)).stream().map(Relation::schema)
          .toList();
    }
    database.execute("create publication " + database.name() + " for table "
        + tables.stream().map(table -> table.id().quoted()).collect(Collectors.joining(", "))
        + " with (publish_via_partition_root = true)");
    SlotCreation.Created created = new SlotCreation(connections).create(database.name(), TIMEOUT);
    created.close();
    return new CaptureHarness(database, connections, created, tables, debezium);
  }

  /** Starts from the sink's last commit and waits for the first event. */
  void start() throws Exception {
    capture.start(position());
    capture.awaitStreaming(TIMEOUT);
  }

  SourcePosition position() {
    return new SourcePosition(source.systemIdentifier(), source.timeline(), source.database(), slot,
        SourcePosition.Phase.STREAMING,
        sink.position(), 0);
  }

  /** Waits until everything that was committed before is in the sink. */
  void catchUp() throws Exception {
    String token = "caught up " + tokens.incrementAndGet();
    new Heartbeat(connections::connect).emit(token);
    sink.awaitMessage(token);
  }

  TableSchema table(String name) {
    return tables.stream().filter(table -> table.id().toString().equals(name)).findFirst().orElseThrow();
  }

  TestDatabase database() {
    return database;
  }

  SourceConnections connections() {
    return connections;
  }

  CommittingSink sink() {
    return sink;
  }

  PostgresCapture capture() {
    return capture;
  }

  @Override
  public void close() {
    capture.close();
    database.close();
  }
}
