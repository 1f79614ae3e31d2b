package dev.rowlog.engine.log;

import static dev.rowlog.engine.log.LogFixture.ORDERS;
import static dev.rowlog.engine.log.LogFixture.append;
import static dev.rowlog.engine.log.LogFixture.appendMany;
import static dev.rowlog.engine.log.LogFixture.bytes;
import static dev.rowlog.engine.log.LogFixture.config;
import static dev.rowlog.engine.log.LogFixture.create;
import static dev.rowlog.engine.log.LogFixture.expected;
import static dev.rowlog.engine.log.LogFixture.load;
import static dev.rowlog.engine.log.LogFixture.open;
import static dev.rowlog.engine.log.LogFixture.read;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.kafka.KafkaLog;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.Segment;
import dev.rowlog.engine.segment.index.AbortedTransaction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.OffsetIndex;
import org.apache.kafka.storage.internals.log.OffsetPosition;
import org.apache.kafka.storage.internals.log.TimeIndex;
import org.apache.kafka.tools.DumpLogSegments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What we write, Kafka's own classes read; what they write, we read. */
class KafkaLogInteropTest {
  @TempDir
  Path root;

  private final NioDisk disk = new NioDisk();

  @ParameterizedTest
  @EnumSource(Compression.class)
  void shouldBeReadByKafkasFileRecords(Compression compression) throws IOException {
    // Given
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = create(directory, config("compression.type", compression.configName()));
      for (int i = 0; i < 30; i++) {
        RecordBatchEncoder batch = new RecordBatchEncoder(compression);
        batch.add(LogFixture.T0 + 2 * i, bytes("key" + 2 * i), bytes("value" + 2 * i), List.of());
        batch.add(LogFixture.T0 + 2 * i + 1, bytes("key" + (2 * i + 1)), bytes("value" + (2 * i + 1)), List.of());
        log.append(batch);
      }
    }
    // When
    List<String> records = new ArrayList<>();
    for (Path file : files(".log")) {
      try (FileRecords fileRecords = FileRecords.open(file.toFile(), false)) {
        for (FileChannelRecordBatch batch : fileRecords.batches()) {
          batch.ensureValid();
          for (Record record : batch) {
            records.add(text(record));
          }
        }
      }
    }
    // Then
    assertThat(records).isEqualTo(expected(0, 60));
  }

  private List<Path> files(String extension) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(ORDERS.directoryName()))) {
      return files.filter(file -> file.toString().endsWith(extension)).sorted().toList();
    }
  }

  private static String text(Record record) {
    String value = record.hasValue() ? UTF_8.decode(record.value()).toString() : "∅";
    return record.offset() + ":" + UTF_8.decode(record.key()) + "=" + value;
  }

  @Test
  void shouldHaveIndexesThatKafkaTrusts() throws IOException {
    // Given
    try (LogDirectory directory = open(disk, root)) {
      appendMany(create(directory, config("segment.bytes", "2000")), 100);
    }
    // When, then
    for (Path log : files(".log")) {
      String base = log.toString().substring(0, log.toString().length() - ".log".length());
      long baseOffset = Long.parseLong(log.getFileName().toString().substring(0, 20));
      try (FileRecords records = FileRecords.open(log.toFile(), false);
          OffsetIndex offsets = new OffsetIndex(Path.of(base + ".index").toFile(), baseOffset, -1, false);
          TimeIndex times = new TimeIndex(Path.of(base + ".timeindex").toFile(), baseOffset, -1, false)) {
        offsets.sanityCheck();
        times.sanityCheck();
        assertThat(offsets.entries()).isPositive();
        for (int i = 0; i < offsets.entries(); i++) {
          OffsetPosition entry = offsets.entry(i);
          assertThat(records.searchForOffsetFromPosition(entry.offset(), entry.position()).position)
              .isEqualTo(entry.position());
        }
        assertThat(times.lastEntry().timestamp()).isEqualTo(LogFixture.T0 + times.lastEntry().offset());
        assertThat(times.lastEntry().timestamp()).isEqualTo(records.largestTimestampAfter(0).timestamp);
      }
    }
  }

  @Test
  void shouldDumpWithoutComplaint() throws Exception {
    // Given
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = create(directory, config("segment.bytes", "2000"));
      appendMany(log, 60);
      append(log, "key1", null);
    }
    for (String extension : List.of(".log", ".index", ".timeindex")) {
      for (Path file : files(extension)) {
        // When
        String output = dump(file);
        // Then
        assertThat(output).contains("Dumping " + file);
        assertThat(output.toLowerCase(Locale.ROOT))
            .doesNotContain("mismatch", "isvalid: false", "error", "out of order", "corrupt", "exception");
      }
    }
    assertThat(dump(files(".log").get(0))).contains("payload: value0").contains("isvalid: true");
  }

  private static String dump(Path file) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream captured = new PrintStream(bytes, true, UTF_8)) {
      System.setOut(captured);
      DumpLogSegments.main(
          new String[]{"--files", file.toString(), "--print-data-log", "--deep-iteration", "--index-sanity-check"});
    } finally {
      System.setOut(out);
    }
    String text = bytes.toString(UTF_8);
    ByteArrayOutputStream verified = new ByteArrayOutputStream();
    try (PrintStream captured = new PrintStream(verified, true, UTF_8)) {
      System.setOut(captured);
      DumpLogSegments.main(new String[]{"--files", file.toString(), "--verify-index-only"});
    } finally {
      System.setOut(out);
    }
    return text + verified.toString(UTF_8);
  }

  @Test
  void shouldBeOpenedByKafkaAndTakeItsAppendsBack() throws Exception {
    // Given
    TopicId id;
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = create(directory, config());
      appendMany(log, 40);
      id = log.topicId();
    }
    // When
    try (KafkaLog kafka = kafka(root.resolve(ORDERS.directoryName()))) {
      assertThat(kafka.log().logEndOffset()).isEqualTo(40);
      assertThat(kafka.log().topicId().orElseThrow().toString()).isEqualTo(id.toString());
      assertThat(records(kafka)).isEqualTo(expected(0, 40));
      for (int i = 40; i < 70; i++) {
        kafka.append("key" + i, "value" + i);
      }
    }
    // Then
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = load(directory, config());
      assertThat(log.topicId()).isEqualTo(id);
      assertThat(read(log)).isEqualTo(expected(0, 70));
      appendMany(log, 10);
      log.flush();
      assertThat(read(log)).isEqualTo(expected(0, 80));
    }
    try (KafkaLog kafka = kafka(root.resolve(ORDERS.directoryName()))) {
      assertThat(records(kafka)).isEqualTo(expected(0, 80));
    }
  }

  @Test
  void shouldOpenAFolderThatKafkaWroteAndLeaveItReadable() throws Exception {
    // Given
    Path folder = root.resolve(ORDERS.directoryName());
    try (KafkaLog kafka = kafka(folder)) {
      for (int i = 0; i < 50; i++) {
        kafka.append("key" + i, "value" + i);
      }
    }
    // When
    try (LogDirectory directory = open(disk, root)) {
      assertThat(directory.partitions()).containsExactly(ORDERS);
      assertThat(directory.storedConfig(ORDERS)).isEmpty();
      PartitionLog log = load(directory, config());
      // Then
      assertThat(read(log)).isEqualTo(expected(0, 50));
      assertThat(log.segments().all()).hasSizeGreaterThan(2);
      assertThat(log.lastStableOffset()).isEqualTo(50);
    }
    assertThat(root.resolve("meta.properties")).doesNotExist();
    assertThat(folder.resolve("topic.properties")).doesNotExist();
    try (KafkaLog kafka = kafka(folder)) {
      assertThat(records(kafka)).isEqualTo(expected(0, 50));
    }
  }

  @Test
  void shouldReadTheReservedIndexesOfALogThatKafkaHasOpen() throws Exception {
    // Given: Kafka's process is killed, so that its indexes have a tail of zeros.
    Path folder = root.resolve("live").resolve(ORDERS.directoryName());
    Path copy = root.resolve("copy");
    Files.createDirectories(copy.resolve(ORDERS.directoryName()));
    try (KafkaLog kafka = kafka(folder)) {
      for (int i = 0; i < 20; i++) {
        kafka.append("key" + i, "value" + i);
      }
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.copy(file, copy.resolve(ORDERS.directoryName()).resolve(file.getFileName()));
        }
      }
    }
    Files.writeString(copy.resolve(".kafka_cleanshutdown"), "");
    // When
    try (LogDirectory directory = open(disk, copy)) {
      PartitionLog log = load(directory, config());
      // Then
      assertThat(log.recoveryReport().scannedSegments()).isZero();
      assertThat(read(log)).isEqualTo(expected(0, 20));
      appendMany(log, 5);
      Segment active = log.segments().active();
      assertThat(active.largestTimestamp()).isEqualTo(LogFixture.T0 + 24);
    }
    try (KafkaLog kafka = kafka(copy.resolve(ORDERS.directoryName()))) {
      assertThat(records(kafka)).isEqualTo(expected(0, 25));
    }
  }

  @Test
  void shouldEndAtTheFirstOpenTransactionAndKnowTheAbortedOnes() throws Exception {
    // Given
    Path folder = root.resolve(ORDERS.directoryName());
    try (KafkaLog kafka = kafka(folder)) {
      kafka.append("key0", "value0");
      kafka.appendTransactional(7, 0, "a", "1");
      kafka.endTransaction(7, ControlRecordType.ABORT);
      kafka.appendTransactional(8, 0, "b", "2");
      kafka.append("key4", "value4");
    }
    // When
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = load(directory, config());
      // Then
      assertThat(log.highWatermark()).isEqualTo(5);
      assertThat(log.lastStableOffset()).isEqualTo(3);
      assertThat(log.segments().all()).flatExtracting(Segment::abortedTransactions)
          .containsExactly(new AbortedTransaction(7, 1, 2, 3));
    }
  }

  /** What lies in the folder, opened by Kafka as after a kill. */
  private static KafkaLog kafka(Path folder) throws IOException {
    return KafkaLog.recover(folder, config("segment.bytes", "500", "index.interval.bytes", "100"), LogFixture.T0);
  }

  /** As {@link LogFixture#read}. */
  private static List<String> records(KafkaLog kafka) throws IOException {
    List<String> records = new ArrayList<>();
    for (LogSegment segment : kafka.log().logSegments()) {
      for (RecordBatch batch : segment.log().batches()) {
        batch.ensureValid();
        for (Record record : batch) {
          records.add(record.offset() + ":" + UTF_8.decode(record.key()) + "=" + UTF_8.decode(record.value()));
        }
      }
    }
    return records;
  }
}
