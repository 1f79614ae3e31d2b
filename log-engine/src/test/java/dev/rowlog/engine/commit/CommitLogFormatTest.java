package dev.rowlog.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.TopicId;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds docs/format/commit-log.md to the code. */
class CommitLogFormatTest {
  private static final Path PAGE = Path.of("..", "docs", "format", "commit-log.md");
  private static final Path FILE = Path.of("commits.log");
  private static final TopicPartition ORDERS = TopicPartition.of("shop.public.orders");
  private static final TopicId ORDERS_ID = TopicId.parse("q83vASNFZ4mrze8BI0VniQ");
  private static final long NEW_YEAR_2026 = 1_767_225_600_000L;

  @Test
  void shouldDecodeTheWorkedExample() throws Exception {
    // Given
    CommitState state = new CommitState();

    // When
    state.apply(wrap(hexOfThePage()), FILE);

    // Then
    CommittedEnds committed = state.committed();
    assertThat(committed.commitOffset()).isEqualTo(17);
    assertThat(committed.position().orElseThrow()).asString(StandardCharsets.US_ASCII).isEqualTo("0/16B3748");
    assertThat(committed.ends()).containsOnlyKeys(ORDERS).containsEntry(ORDERS, 42L);
    assertThat(state.topicId(ORDERS)).contains(ORDERS_ID);
  }

  @Test
  void shouldEncodeTheWorkedExample() throws Exception {
    // Given
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.begin();
    List<CommitRecord> records = List.of(new CommitRecord.Position(ascii("0/16B3748"), false),
        new CommitRecord.End(ORDERS_ID, 42, ORDERS));

    // When
    records.forEach(commit -> encoder.add(NEW_YEAR_2026, commit.key(), commit.value(), List.of()));
    ByteBuffer batch = encoder.finish(17, 0);

    // Then
    byte[] bytes = new byte[batch.remaining()];
    batch.get(bytes);
    assertThat(bytes).isEqualTo(hexOfThePage());
  }

  @Test
  void shouldTakeTheNewestEndOfEachLogAndTheNewestPosition() {
    // Given
    TopicId customersId = new TopicId(1, 2);
    TopicPartition customers = TopicPartition.of("customers");
    CommitState state = new CommitState();

    // When
    state.apply(batch(0, new CommitRecord.Position(ascii("a"), false), new CommitRecord.End(ORDERS_ID, 5, ORDERS),
        new CommitRecord.End(customersId, 7, customers)), FILE);
    state.apply(batch(3, new CommitRecord.Position(ascii("b"), false), new CommitRecord.End(ORDERS_ID, 9, ORDERS)),
        FILE);

    // Then
    assertThat(state.committed().ends()).containsEntry(ORDERS, 9L).containsEntry(customers, 7L).hasSize(2);
    assertThat(state.committed().position().orElseThrow()).isEqualTo(ascii("b"));
    assertThat(state.committed().commitOffset()).isEqualTo(3);
    assertThat(state.nextOffset()).isEqualTo(5);
  }

  @Test
  void shouldSkipABatchThatWasTakenBefore() {
    // Given
    CommitState state = new CommitState();
    state.apply(batch(0, new CommitRecord.Position(ascii("a"), false), new CommitRecord.End(ORDERS_ID, 5, ORDERS)),
        FILE);
    state.apply(batch(2, new CommitRecord.Position(ascii("b"), false), new CommitRecord.End(ORDERS_ID, 9, ORDERS)),
        FILE);

    // When
    state.apply(batch(0, new CommitRecord.Position(ascii("a"), false), new CommitRecord.End(ORDERS_ID, 5, ORDERS)),
        FILE);

    // Then
    assertThat(state.committed().end(ORDERS)).isEqualTo(9);
  }

  @Test
  void shouldForgetALogThatWasRemoved() {
    // Given
    CommitState state = new CommitState();
    state.apply(batch(0, new CommitRecord.Position(ascii("a"), false), new CommitRecord.End(ORDERS_ID, 5, ORDERS)),
        FILE);

    // When
    state.apply(batch(2, new CommitRecord.Position(ascii("b"), false), new CommitRecord.Removed(ORDERS_ID)), FILE);

    // Then
    assertThat(state.committed().ends()).isEmpty();
    assertThat(state.topicId(ORDERS)).isEmpty();
  }

  @Test
  void shouldTakeACompleteCommitForAll_thatCounts() {
    // Given
    TopicPartition customers = TopicPartition.of("customers");
    CommitState state = new CommitState();
    state.apply(batch(0, new CommitRecord.Position(ascii("a"), false), new CommitRecord.End(ORDERS_ID, 5, ORDERS)),
        FILE);
    RecordBatch complete = batch(2, new CommitRecord.Position(ascii("b"), true),
        new CommitRecord.End(new TopicId(1, 2), 7, customers));

    // When
    state.apply(complete, FILE);

    // Then
    assertThat(CommitState.isComplete(complete, FILE)).isTrue();
    assertThat(state.committed().ends()).containsOnlyKeys(customers);
  }

  @Test
  void shouldRefuseARecordOfAKindThatItDoesNotKnow() {
    // Given
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.begin();
    encoder.add(0, ascii("inline q83vASNFZ4mrze8BI0VniQ"), ascii("records"), List.of());
    RecordBatch newer = new RecordBatch().wrap(encoder.finish(0, 0), 0);

    // When // Then
    assertThatThrownBy(() -> new CommitState().apply(newer, FILE)).isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("newer version");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "42", "42 ", " orders-0", "042 orders-0", "-1 orders-0", "4x orders-0", "42 orders",
      "42  orders-0",
      "99999999999999999999 orders-0", "9999999999999999999 orders-0"})
  void shouldCallAMalformedEndCorrupt(String value) {
    // Given
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.begin();
    encoder.add(0, ascii(ORDERS_ID.toString()), ascii(value), List.of());
    RecordBatch malformed = new RecordBatch().wrap(encoder.finish(0, 0), 0);

    // When // Then
    assertThatThrownBy(() -> new CommitState().apply(malformed, FILE)).isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("offset 0");
  }

  private static RecordBatch batch(long baseOffset, CommitRecord... records) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.begin();
    for (CommitRecord commit : records) {
      encoder.add(0, commit.key(), commit.value(), commit.headers());
    }
    return new RecordBatch().wrap(encoder.finish(baseOffset, 0), 0);
  }

  private static RecordBatch wrap(byte[] bytes) {
    RecordBatch batch = new RecordBatch().wrap(ByteBuffer.wrap(bytes), 0);
    batch.ensureValid(PAGE, 0);
    return batch;
  }

  private static byte[] hexOfThePage() throws Exception {
    StringBuilder hex = new StringBuilder();
    for (String line : Files.readAllLines(PAGE)) {
      if (line.matches("[0-9a-f]{8}  .*\\|.*\\|")) {
        hex.append(line.substring(10, line.indexOf('|')).replace(" ", ""));
      }
    }
    return HexFormat.of().parseHex(hex);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
