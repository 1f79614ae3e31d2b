package dev.rowlog.connector.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.Operation;
import dev.rowlog.connector.change.RowImage;
import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mapping.LastValues;
import dev.rowlog.connector.mapping.MappingException;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.engine.EngineOptions;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogSinkTest {
  private static final TableId A = new TableId("public", "a");
  private static final TableId B = new TableId("public", "b");
  private static final TableId OTHER = new TableId("public", "other");
  private static final SourcePosition START = new SourcePosition("7", 1, "shop", "rowlog",
      SourcePosition.Phase.STREAMING, new Lsn(100), 0);
  private static final int MAX_BATCH_BYTES = 300_000;
  private static final long MICROS = 1_700_000_000_000_000L;

  @TempDir
  Path directory;

  private final Heard heard = new Heard();
  private LogEngine engine;
  private PartitionLog a;
  private PartitionLog b;
  private LogSink sink;

  /** Keeps what it was told. */
  private static final class Heard implements SinkListener {
    private final List<CommittedTransaction> transactions = new ArrayList<>();
    private final List<String> messages = new ArrayList<>();
    private final List<String> stops = new ArrayList<>();

    @Override
    public int recordsPerTransaction() {
      return 3;
    }

    @Override
    public void transactionCommitted(CommittedTransaction transaction) {
      transactions.add(transaction);
    }

    @Override
    public void messageCommitted(String prefix, byte[] content, Lsn lsn) {
      messages.add(prefix + " " + new String(content, StandardCharsets.UTF_8) + " " + lsn.value());
    }

    @Override
    public void tableStopped(TableId table, String reason) {
      stops.add(reason);
    }
  }

  @BeforeEach
  void open() {
    open(START);
  }

  private void open(SourcePosition committed) {
    engine = LogEngine.open(new EngineOptions(directory, LogConfig.defaults(), CleanerConfig.defaults(), true),
        new NioDisk(),
        InstantSource.system(), System::nanoTime, new Random(7));
    a = engine.createIfMissing(TopicPartition.of("shop.public.a"), LogConfig.defaults());
    b = engine.createIfMissing(TopicPartition.of("shop.public.b"), LogConfig.defaults());
    PartitionLog status = engine.createIfMissing(TopicPartition.of(StoppedTables.TOPIC), LogConfig.defaults());
    List<MirroredTable> tables = List.of(new MirroredTable(A, a, LogSinkTest::map, 1),
        new MirroredTable(B, b, LogSinkTest::map, 1));
    sink = new LogSink(engine, committed, tables, status, heard, MAX_BATCH_BYTES);
    sink.reset();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void shouldCommitWholeTransactionsAndLeaveTheOpenOneUnseen() {
    // When
    int acknowledged = sink
        .accept(List.of(begin(1), insert(1, A, "k1", "v1"), insert(1, B, "k1", "w1"), end(1, 110, A, 1, B, 1),
            begin(2), insert(2, A, "k2", "v2")));

    // Then
    assertThat(acknowledged).isEqualTo(3);
    assertThat(committed(a)).containsExactly("k1=v1");
    assertThat(committed(b)).containsExactly("k1=w1");
    assertThat(position()).isEqualTo(START.at(new Lsn(110), MICROS));
  }

  @Test
  void shouldCommitATransactionThatCameInPieces() {
    // Given
    int first = sink.accept(List.of(begin(1), insert(1, A, "k1", "v1")));

    // When
    int second = sink.accept(List.of(insert(1, A, "k2", "v2"), end(1, 110, A, 2)));

    // Then
    assertThat(first).isEqualTo(-1);
    assertThat(second).isEqualTo(1);
    assertThat(committed(a)).containsExactly("k1=v1", "k2=v2");
  }

  @Test
  void shouldKeepALargeTransactionUnseenUntilItsEnd() {
    // Given
    String large = "x".repeat(10_000);
    sink.accept(List.of(begin(1), insert(1, B, "before", "w"), end(1, 105, B, 1)));
    List<SourceEvent> rows = new ArrayList<>(List.of(begin(2)));
    for (int i = 0; i < 200; i++) {
      rows.add(insert(2, A, "k" + i, large));
    }

    // When
    sink.accept(rows);
    long appended = a.logEndOffset();
    List<String> seenBefore = committed(a);
    sink.accept(List.of(end(2, 110, A, 200)));

    // Then
    assertThat(appended).isGreaterThan(100);
    assertThat(seenBefore).isEmpty();
    assertThat(committed(a)).hasSize(200);
    assertThat(heard.transactions.get(1).recordCount()).isEqualTo(200);
  }

  @Test
  void shouldDropATransactionThatWasCommittedBefore() {
    // When
    int acknowledged = sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), end(1, 100, A, 1)));

    // Then
    assertThat(acknowledged).isEqualTo(2);
    assertThat(a.logEndOffset()).isZero();
    assertThat(heard.transactions).isEmpty();
  }

  @Test
  void shouldCutALargeTransactionThatWasCommittedBefore() {
    // Given
    List<SourceEvent> events = new ArrayList<>(List.of(begin(1)));
    for (int i = 0; i < 200; i++) {
      events.add(insert(1, A, "k" + i, "x".repeat(10_000)));
    }
    sink.accept(events);
    assertThat(a.logEndOffset()).isPositive();

    // When
    sink.accept(List.of(end(1, 100, A, 200), begin(2), insert(2, A, "k", "v"), end(2, 120, A, 1)));

    // Then
    assertThat(committed(a)).containsExactly("k=v");
    assertThat(a.logEndOffset()).isEqualTo(1);
  }

  @Test
  void shouldFailWhenATransactionBeginsInsideAnother() {
    // Given
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1")));

    // Then
    assertThatThrownBy(() -> sink.accept(List.of(begin(1)))).isInstanceOf(SourceProtocolException.class)
        .hasMessageContaining("BEGIN of transaction 1 came before the END of transaction 1");
  }

  @Test
  void shouldFailWhenTheEndAnnouncesOtherCounts() {
    assertThatThrownBy(() -> sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), end(1, 110, A, 2))))
        .isInstanceOf(SourceProtocolException.class)
        .hasMessageContaining("holds 2 events of public.a, but 1 came");
    assertThat(committed(a)).isEmpty();
  }

  @Test
  void shouldFailOnARowOutsideATransaction() {
    assertThatThrownBy(() -> sink.accept(List.of(insert(1, A, "k1", "v1")))).isInstanceOf(SourceProtocolException.class)
        .hasMessageContaining("outside a transaction");
  }

  @Test
  void shouldMoveThePositionWithAMessageOutsideATransaction() {
    // When
    int acknowledged = sink.accept(List.of(message("hello", 130)));

    // Then
    assertThat(acknowledged).isZero();
    assertThat(position().lsn()).isEqualTo(new Lsn(130));
    assertThat(heard.messages).containsExactly("rowlog hello 130");
  }

  @Test
  void shouldNotMoveBackWithAMessageThatComesAgain() {
    // When
    sink.accept(List.of(message("again", 90)));

    // Then
    assertThat(engine.committed().position()).isEmpty();
    assertThat(heard.messages).containsExactly("rowlog again 90");
  }

  @Test
  void shouldMoveThePositionWithATransactionOfOtherTables() {
    // When
    sink.accept(List.of(begin(1), insert(1, OTHER, "k1", "v1"), end(1, 110, OTHER, 1)));

    // Then
    assertThat(position().lsn()).isEqualTo(new Lsn(110));
    assertThat(heard.transactions).hasSize(1);
  }

  @Test
  void shouldStopOnlyTheTableWhoseRowCannotBeMapped() {
    // Given
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), end(1, 110, A, 1)));

    // When
    sink.accept(List.of(begin(2), insert(2, A, "k2", "v2"), insert(2, B, "k2", "w2"), insert(2, A, "k3", "bad"),
        insert(2, B, "k3", "w3"), end(2, 120, A, 2, B, 2), begin(3), insert(3, A, "k4", "v4"), insert(3, B, "k4", "w4"),
        end(3, 130, A, 1, B, 1)));

    // Then
    assertThat(committed(a)).containsExactly("k1=v1");
    assertThat(committed(b)).containsExactly("k2=w2", "k3=w3", "k4=w4");
    assertThat(StoppedTables.read(engine)).containsExactly(Map.entry(A, "public.a: bad value"));
    assertThat(heard.stops).containsExactly("public.a: bad value");
    assertThat(position().lsn()).isEqualTo(new Lsn(130));
  }

  @Test
  void shouldStopOnlyTheTableWhoseRowBelongsToAnotherDefinition() {
    // When
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), insert(1, B, "k1", "w1"),
        new SourceEvent.Altered(A, "it had v integer and has v text", new Lsn(1), 1), insert(1, A, "k2", "v2"),
        end(1, 110, A, 3, B, 1)));

    // Then
    assertThat(committed(a)).isEmpty();
    assertThat(committed(b)).containsExactly("k1=w1");
    assertThat(StoppedTables.read(engine).get(A)).contains("it had v integer and has v text");
  }

  @Test
  void shouldRememberTheLastTruncateOfATable() {
    // When
    sink.accept(List.of(begin(1), truncate(1, A), end(1, 110, A, 1), begin(2), truncate(2, A), end(2, 120, A, 1)));

    // Then
    assertThat(Truncations.read(engine)).containsExactly(Map.entry(A, new Lsn(120)));
    assertThat(StoppedTables.read(engine)).isEmpty();
  }

  @Test
  void shouldForgetATruncateThatWasCommittedBefore() {
    // When
    sink.accept(List.of(begin(1), truncate(1, A), end(1, 100, A, 1)));

    // Then
    assertThat(Truncations.read(engine)).isEmpty();
  }

  @Test
  void shouldAppendBookkeepingWithTheNextMessageOutsideATransaction() {
    // Given
    sink.append(a, new Record(-1, 1, bytes("definition"), bytes("new"), List.of()));

    // When
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), end(1, 110, A, 1)));
    List<String> before = committed(a);
    sink.accept(List.of(message("beat", 115)));

    // Then
    assertThat(before).containsExactly("k1=v1");
    assertThat(committed(a)).containsExactly("k1=v1", "definition=new");
  }

  @Test
  void shouldFindTheLastRowOfAKeyWhereverItIs() {
    // When
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), insert(1, A, "k2", "v2"), end(1, 110, A, 2),
        begin(2), insert(2, A, "k1", "same"), insert(2, A, "k1", "w1"), insert(2, A, "k1", "same"), end(2, 120, A, 3)));
    sink.accept(List.of(begin(3), insert(3, A, "k2", "same"), end(3, 130, A, 1)));

    // Then
    assertThat(committed(a)).containsExactly("k1=v1", "k2=v2", "k1=v1", "k1=w1", "k1=w1", "k2=v2");
  }

  @Test
  void shouldFindTheLastRowInsideATransactionThatIsLargerThanMemory() {
    // Given
    List<SourceEvent> events = new ArrayList<>(List.of(begin(1)));
    for (int i = 0; i < 100; i++) {
      events.add(insert(1, A, "k" + i, i + "x".repeat(10_000)));
    }
    events.add(insert(1, A, "k3", "same"));
    events.add(insert(1, A, "k3", "small"));
    events.add(insert(1, A, "k3", "same"));
    events.add(insert(1, A, "k99", "same"));
    events.add(end(1, 110, A, 104));

    // When
    sink.accept(events);

    // Then
    List<String> records = committed(a);
    assertThat(records.get(100)).isEqualTo("k3=3" + "x".repeat(10_000));
    assertThat(records.subList(101, 103)).containsExactly("k3=small", "k3=small");
    assertThat(records.get(103)).isEqualTo("k99=99" + "x".repeat(10_000));
  }

  @Test
  void shouldFindTheCommittedRowAfterACut() {
    // Given
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), insert(1, A, "k2", "v2"), end(1, 110, A, 2), begin(2)));
    List<SourceEvent> large = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      large.add(insert(2, A, "k1", i + "x".repeat(10_000)));
    }
    large.add(insert(2, A, "k1", "same"));
    sink.accept(large);

    // When
    sink.reset();
    sink.accept(List.of(begin(2), insert(2, A, "k1", "same"), delete(2, A, "k2"), end(2, 120, A, 2),
        begin(3), insert(3, A, "k2", "same"), end(3, 130, A, 1)));

    // Then
    assertThat(committed(a)).containsExactly("k1=v1", "k2=v2", "k1=v1", "k2=null");
    assertThat(heard.stops).containsExactly("public.a: no last row");
  }

  @Test
  void shouldForgetAStopWhoseTransactionWasCommittedBefore() {
    // When
    sink.accept(List.of(begin(1), insert(1, A, "k1", "bad"), end(1, 100, A, 1), begin(2), insert(2, A, "k2", "v2"),
        end(2, 110, A, 1)));

    // Then
    assertThat(committed(a)).containsExactly("k2=v2");
    assertThat(StoppedTables.read(engine)).isEmpty();
  }

  @Test
  void shouldTakeBackTheRowsOfAStoppedTableInALargeTransaction() {
    // Given
    List<SourceEvent> events = new ArrayList<>(
        List.of(begin(1), insert(1, A, "first", "v"), end(1, 110, A, 1), begin(2)));
    for (int i = 0; i < 200; i++) {
      events.add(insert(2, A, "k" + i, "x".repeat(10_000)));
    }
    events.add(insert(2, A, "k", "bad"));
    events.add(end(2, 120, A, 201));

    // When
    sink.accept(events);

    // Then
    assertThat(committed(a)).containsExactly("first=v");
    assertThat(a.logEndOffset()).isEqualTo(1);
  }

  @Test
  void shouldDeleteEveryLiveKeyOnTruncateAlsoThoseOfTheSameTransaction() {
    // Given
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), insert(1, A, "k2", "v2"), insert(1, B, "k1", "w1"),
        end(1, 110, A, 2, B, 1),
        begin(2), delete(2, A, "k2"), end(2, 115, A, 1)));

    // When
    sink.accept(
        List.of(begin(3), insert(3, A, "k3", "v3"), truncate(3, A), insert(3, A, "k4", "v4"), end(3, 120, A, 3)));

    // Then
    List<String> records = committed(a);
    assertThat(records.subList(0, 4)).containsExactly("k1=v1", "k2=v2", "k2=null", "k3=v3");
    assertThat(records.subList(4, 6)).containsExactlyInAnyOrder("k1=null", "k3=null");
    assertThat(records.subList(6, 7)).containsExactly("k4=v4");
    assertThat(committed(b)).containsExactly("k1=w1");
  }

  @Test
  void shouldGoOnFromTheLastCommitAfterAReset() {
    // Given
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), end(1, 110, A, 1), begin(2), insert(2, A, "k2", "v2")));

    // When
    sink.reset();
    sink.accept(List.of(begin(2), insert(2, A, "k2", "v2"), end(2, 120, A, 1)));

    // Then
    assertThat(committed(a)).containsExactly("k1=v1", "k2=v2");
  }

  @Test
  void shouldStopOnlyTheTable_whoseRowIsTooLargeForABatch() {
    // Given: rows of both tables before and after it in the same transaction, and in the same group of them
    String tooLarge = "x".repeat(MAX_BATCH_BYTES);

    // When
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), end(1, 110, A, 1),
        begin(2), insert(2, A, "k2", "v2"), insert(2, B, "k1", "w1"), insert(2, A, "k3", tooLarge),
        insert(2, A, "k4", "v4"), insert(2, B, "k2", "w2"), end(2, 120, A, 3, B, 2),
        begin(3), insert(3, A, "k5", "v5"), insert(3, B, "k3", "w3"), end(3, 130, A, 1, B, 1)));

    // Then
    assertThat(committed(a)).containsExactly("k1=v1");
    assertThat(committed(b)).containsExactly("k1=w1", "k2=w2", "k3=w3");
    assertThat(StoppedTables.read(engine).get(A)).startsWith("public.a: its row is too large for a record: ")
        .contains("at most " + MAX_BATCH_BYTES + " are possible (key k3)", "source.tables");
    assertThat(position().lsn()).isEqualTo(new Lsn(130));
  }

  @Test
  void shouldGiveALargeRowABatchOfItsOwn() {
    // Given
    String small = "x".repeat(100_000);
    String large = "y".repeat(MAX_BATCH_BYTES - 1_000);

    // When
    sink.accept(List.of(begin(1), insert(1, A, "k1", small), insert(1, A, "k2", large), insert(1, A, "k3", small),
        end(1, 110, A, 3)));

    // Then
    assertThat(committed(a)).containsExactly("k1=" + small, "k2=" + large, "k3=" + small);
    assertThat(heard.stops).isEmpty();
  }

  @Test
  void shouldTakeAStopBackWhenItsCommitDidNotCome() {
    // Given
    List<SourceEvent> torn = List.of(begin(1), insert(1, A, "k1", "bad"), end(1, 110, A, 1), begin(2),
        end(2, 120, B, 1));
    assertThatThrownBy(() -> sink.accept(torn)).isInstanceOf(SourceProtocolException.class);

    // When
    sink.reset();
    sink.accept(List.of(begin(1), insert(1, A, "k1", "good"), end(1, 110, A, 1)));

    // Then
    assertThat(committed(a)).containsExactly("k1=good");
    assertThat(heard.stops).isEmpty();
  }

  @Test
  void shouldStopATableOnRequestWithTheNextMessage() {
    // Given
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), end(1, 110, A, 1)));

    // When
    sink.stopTable(A, "its columns changed");
    sink.accept(List.of(message("beat", 115), begin(2), insert(2, A, "k2", "v2"), end(2, 120, A, 1)));

    // Then
    assertThat(committed(a)).containsExactly("k1=v1");
    assertThat(StoppedTables.read(engine)).containsEntry(A, "its columns changed");
  }

  @Test
  void shouldTellItsListenerEachTransactionWithItsFirstRecordsAndTheirOffsets() {
    // When
    sink.accept(List.of(begin(1), insert(1, A, "k1", "v1"), end(1, 110, A, 1), begin(2), insert(2, B, "k1", "w1"),
        insert(2, A, "k2", "v2"), insert(2, A, "k3", "v3"), insert(2, A, "k4", "v4"), end(2, 120, A, 3, B, 1)));

    // Then
    CommittedTransaction second = heard.transactions.get(1);
    assertThat(second.recordCount()).isEqualTo(4);
    assertThat(second.records()).extracting(placed -> placed.topic() + "@" + placed.record().offset())
        .containsExactly("shop.public.b@0", "shop.public.a@1", "shop.public.a@2");
  }

  @Test
  void shouldFindTheLastBoundary() {
    assertThat(LogSink.lastBoundary(List.of(), false)).isEqualTo(-1);
    assertThat(LogSink.lastBoundary(List.of(begin(1), insert(1, A, "k", "v")), false)).isEqualTo(-1);
    assertThat(LogSink.lastBoundary(List.of(message("x", 1), begin(1), message("y", 2)), false)).isZero();
    assertThat(LogSink.lastBoundary(List.of(message("x", 1), end(1, 2)), true)).isEqualTo(1);
  }

  private static List<Record> map(SourceEvent.Row row, LastValues last) {
    if (row.operation() == Operation.DELETE) {
      return List.of(new Record(-1, 1, bytes(row.before().value(0)), null, List.of()));
    }
    if (row.after().value(1).equals("same")) {
      byte[] value = last.of(bytes(row.after().value(0)));
      if (value == null) {
        throw new MappingException(row.table(), "no last row");
      }
      return List.of(new Record(-1, 1, bytes(row.after().value(0)), value, List.of()));
    }
    if (row.after().value(1).equals("bad")) {
      throw new MappingException(row.table(), "bad value");
    }
    return List.of(new Record(-1, 1, bytes(row.after().value(0)), bytes(row.after().value(1)), List.of()));
  }

  private static SourceEvent begin(long id) {
    return new SourceEvent.Begin(id);
  }

  private static SourceEvent insert(long id, TableId table, String key, String value) {
    return new SourceEvent.Row(table, Operation.INSERT, null, image(key, value), new Lsn(1), id, 1, MICROS);
  }

  private static SourceEvent delete(long id, TableId table, String key) {
    return new SourceEvent.Row(table, Operation.DELETE, image(key, null), null, new Lsn(1), id, 1, MICROS);
  }

  private static SourceEvent truncate(long id, TableId table) {
    return new SourceEvent.Truncate(table, new Lsn(1), id, 1, MICROS);
  }

  private static SourceEvent message(String content, long lsn) {
    return new SourceEvent.Message("rowlog", bytes(content), new Lsn(lsn), false);
  }

  private static SourceEvent end(long id, long lsn) {
    return new SourceEvent.End(id, new Lsn(lsn), MICROS, Map.of());
  }

  private static SourceEvent end(long id, long lsn, TableId table, long count) {
    return new SourceEvent.End(id, new Lsn(lsn), MICROS, Map.of(table, count));
  }

  private static SourceEvent end(long id, long lsn, TableId one, long count, TableId other, long otherCount) {
    return new SourceEvent.End(id, new Lsn(lsn), MICROS, Map.of(one, count, other, otherCount));
  }

  private static RowImage image(String key, String value) {
    return new RowImage(List.of("id", "v"), new String[]{key, value});
  }

  private SourcePosition position() {
    return SourcePosition.parse(engine.committed().position().orElseThrow());
  }

  private List<String> committed(PartitionLog log) {
    List<String> records = new ArrayList<>();
    try (LogCursor cursor = engine.cursor(log.topicPartition(), 0)) {
      while (cursor.next()) {
        Record record = cursor.record();
        records.add(text(record.key()) + "=" + text(record.value()));
      }
    }
    return records;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8);
  }
}
