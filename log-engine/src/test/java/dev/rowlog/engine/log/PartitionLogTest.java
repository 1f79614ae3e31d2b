package dev.rowlog.engine.log;

import static dev.rowlog.engine.log.LogFixture.append;
import static dev.rowlog.engine.log.LogFixture.appendMany;
import static dev.rowlog.engine.log.LogFixture.bytes;
import static dev.rowlog.engine.log.LogFixture.config;
import static dev.rowlog.engine.log.LogFixture.create;
import static dev.rowlog.engine.log.LogFixture.expected;
import static dev.rowlog.engine.log.LogFixture.load;
import static dev.rowlog.engine.log.LogFixture.open;
import static dev.rowlog.engine.log.LogFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.ManualClock;
import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.error.RecordTooLargeException;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.Segment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionLogTest {
  @TempDir
  Path root;

  private final NioDisk disk = new NioDisk();

  @Test
  void shouldReadBackWhatWasAppendedAfterACleanRestart() {
    // Given
    try (LogDirectory directory = open(disk, root)) {
      appendMany(create(directory, config()), 50);
    }
    // When
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = load(directory, config());
      // Then
      assertThat(log.logEndOffset()).isEqualTo(50);
      assertThat(log.segments().all()).hasSizeGreaterThan(5);
      assertThat(read(log)).isEqualTo(expected(0, 50));
      assertThat(log.recoveryReport().cleanStop()).isTrue();
      assertThat(log.recoveryReport().scannedSegments()).isZero();
    }
  }

  @Test
  void shouldSayWhereEachBatchWent() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = create(directory, config());
      AppendResult first = append(log, "a", "1");
      // When
      AppendResult second = append(log, "b", "2");
      // Then
      assertThat(first).isEqualTo(new AppendResult(0, 1, 0, 0));
      assertThat(second.baseOffset()).isEqualTo(1);
      assertThat(second.position()).isPositive();
      assertThat(log.segments().active().floorPosition(1)).isZero();
    }
  }

  @Test
  void shouldGiveABatchLargerThanASegmentASegmentOfItsOwn() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = create(directory, config("segment.bytes", "14"));
      append(log, "a", "1");
      // When
      append(log, "b", "x".repeat(5000));
      append(log, "c", "3");
      // Then
      assertThat(log.segments().all()).extracting(Segment::baseOffset).containsExactly(0L, 1L, 2L);
      assertThat(read(log)).hasSize(3);
    }
  }

  @Test
  void shouldRollByTheTimeOfTheRecords() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = create(directory, config("segment.ms", "1000"));
      append(log, 5_000, "a", "1");
      append(log, 6_000, "b", "2");
      // When
      append(log, 6_001, "c", "3");
      // Then
      assertThat(log.segments().active().baseOffset()).isEqualTo(2);
    }
  }

  @Test
  void shouldRollWhereAnIndexIsFull() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = create(
          directory, config("segment.bytes", "1000000", "segment.index.bytes", "16", "index.interval.bytes", "0"));
      // When
      appendMany(log, 10);
      // Then
      assertThat(log.segments().all()).hasSizeGreaterThan(2);
      assertThat(log.segments().inactive())
          .allSatisfy(segment -> assertThat(segment.offsetIndexBytes()).isLessThanOrEqualTo(16));
      assertThat(read(log)).isEqualTo(expected(0, 10));
    }
  }

  @Test
  void shouldNotRollAnEmptySegment() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = create(directory, config());
      // When
      log.roll();
      append(log, "a", "1");
      log.roll();
      log.roll();
      // Then
      assertThat(log.segments().all()).extracting(Segment::baseOffset).containsExactly(0L, 1L);
    }
  }

  @Test
  void shouldRefuseARecordWithoutKeyInACompactedLog() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = create(directory, config());
      // When, then
      assertThatThrownBy(() -> append(log, null, "1"))
          .isInstanceOf(InvalidRecordException.class)
          .hasMessageContaining("orders-0")
          .hasMessageContaining("without key");
      assertThat(log.logEndOffset()).isZero();
      assertThat(append(log, "a", "1").baseOffset()).isZero();
    }
  }

  @Test
  void shouldWriteNothingOfABatchThatIsTooLarge() {
    try (LogDirectory directory = open(disk, root)) {
      // Given: a batch whose bound its compression passes, to a log that is about to roll
      PartitionLog log = create(directory, config("compression.type", "lz4", "segment.bytes", "100"));
      appendMany(log, 3);
      List<Segment> segments = log.segments().all();
      long sizeBytes = log.sizeBytes();
      byte[] incompressible = new byte[900];
      Seeds.random(5).nextBytes(incompressible);
      RecordBatchEncoder batch = new RecordBatchEncoder(Compression.LZ4, 980);
      batch.add(LogFixture.T0, bytes("key"), incompressible, List.of());

      // When
      assertThatThrownBy(() -> log.append(batch)).isInstanceOfSatisfying(
          RecordTooLargeException.class, tooLarge -> assertThat(tooLarge.limitBytes()).isEqualTo(980));

      // Then
      assertThat(log.segments().all()).isEqualTo(segments);
      assertThat(log.sizeBytes()).isEqualTo(sizeBytes);
      appendMany(log, 2);
      assertThat(read(log)).isEqualTo(expected(0, 5));
    }
  }

  @Test
  void shouldTakeARecordWithoutKeyWhereNothingIsCompacted() {
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = create(directory, config("cleanup.policy", "delete"));
      assertThat(append(log, null, "1").nextOffset()).isEqualTo(1);
    }
  }

  @Test
  void shouldKeepGapsBetweenOffsets() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = create(directory, config());
      RecordBatchEncoder batch = new RecordBatchEncoder(Compression.LZ4);
      batch.addAtDelta(2, 5, bytes("a"), bytes("1"), List.of());
      batch.addAtDelta(9, 5, bytes("b"), bytes("2"), List.of());
      // When
      AppendResult result = log.append(batch);
      // Then
      assertThat(result.nextOffset()).isEqualTo(10);
      assertThat(read(log)).containsExactly("2:a=1", "9:b=2");
    }
  }

  @Test
  void shouldRollBeforeAnOffsetPassesWhatASegmentCanHold() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = create(directory, config());
      RecordBatchEncoder batch = new RecordBatchEncoder(Compression.NONE);
      batch.addAtDelta(Integer.MAX_VALUE, 5, bytes("a"), bytes("1"), List.of());
      log.append(batch);
      // When
      append(log, "b", "2");
      // Then
      assertThat(log.segments().all()).extracting(Segment::baseOffset).containsExactly(0L, 1L << 31);
    }
  }

  @Test
  void shouldCutToAnOffsetInAGapAndKeepItAsTheLogEnd() {
    // Given
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = directory.create(LogFixture.ORDERS, config(), logEnd -> Math.min(logEnd, 1));
      append(log, "a", "1");
      RecordBatchEncoder batch = new RecordBatchEncoder(Compression.NONE);
      batch.addAtDelta(9, 5, bytes("b"), bytes("2"), List.of());
      batch.addAtDelta(10, 5, bytes("c"), bytes("3"), List.of());
      log.append(batch);
      // When
      log.truncateTo(5);
      // Then
      assertThat(log.logEndOffset()).isEqualTo(5);
      assertThat(read(log)).containsExactly("0:a=1");
    }
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = load(directory, config());
      assertThat(log.logEndOffset()).isEqualTo(5);
      assertThat(append(log, "d", "4").baseOffset()).isEqualTo(5);
    }
  }

  @Test
  void shouldCutPastRolledSegmentsAndGoOnFromThere() {
    // Given
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = directory.create(LogFixture.ORDERS, config(), logEnd -> Math.min(logEnd, 7));
      appendMany(log, 60);
      log.flush();
      assertThat(log.recoveryPoint()).isEqualTo(7);
      // When
      log.truncateTo(7);
      appendMany(log, 20);
      // Then
      assertThat(read(log)).isEqualTo(expected(0, 27));
    }
    try (LogDirectory directory = open(disk, root)) {
      assertThat(read(load(directory, config()))).isEqualTo(expected(0, 27));
    }
  }

  @Test
  void shouldCutToAnEmptyLogAndAppendAgain() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = directory.create(LogFixture.ORDERS, config(), logEnd -> 0);
      appendMany(log, 20);
      // When
      log.truncateTo(0);
      log.roll();
      appendMany(log, 3);
      // Then
      assertThat(read(log)).isEqualTo(expected(0, 3));
    }
  }

  @Test
  void shouldRefuseToCutBelowTheHighWatermark() {
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = directory.create(LogFixture.ORDERS, config(), logEnd -> Math.min(logEnd, 5));
      appendMany(log, 10);
      assertThatThrownBy(() -> log.truncateTo(4)).isInstanceOf(OffsetOutOfRangeException.class);
      assertThat(log.logEndOffset()).isEqualTo(10);
    }
  }

  @Test
  void shouldDeleteWholeOldSegmentsByTheTimeOfTheirRecords() {
    // Given
    ManualClock clock = new ManualClock(10_000);
    try (LogDirectory directory = open(disk, root, clock)) {
      PartitionLog log = create(
          directory,
          config("cleanup.policy", "compact,delete", "retention.ms", "1000", "file.delete.delay.ms", "60000",
              "segment.bytes", "14"));
      append(log, 8_000, "a", "1");
      append(log, 9_500, "b", "2");
      append(log, 8_000, "c", "3");
      Segment oldest = log.segments().all().get(0);
      // When
      int deleted = log.deleteOldSegments();
      // Then
      assertThat(deleted).isEqualTo(1);
      assertThat(log.logStartOffset()).isEqualTo(1);
      assertThat(read(log)).containsExactly("1:b=2", "2:c=3");
      assertThat(disk.exists(oldest.logPath())).isTrue();
      assertThat(log.deleteExpiredFiles()).isZero();
      clock.advance(Duration.ofMillis(60_000));
      assertThat(log.deleteExpiredFiles()).isEqualTo(1);
      assertThat(disk.list(log.directory())).noneMatch(name -> name.endsWith(".deleted"));
    }
  }

  @Test
  void shouldRollBeforeTheActiveSegmentIsDeleted() {
    ManualClock clock = new ManualClock(10_000);
    try (LogDirectory directory = open(disk, root, clock)) {
      // Given
      PartitionLog log = create(directory, config("cleanup.policy", "delete", "retention.ms", "10"));
      append(log, 8_000, "a", "1");
      // When
      int deleted = log.deleteOldSegments();
      // Then
      assertThat(deleted).isEqualTo(1);
      assertThat(log.logEndOffset()).isEqualTo(1);
      assertThat(log.logStartOffset()).isEqualTo(1);
      assertThat(log.segments().all()).hasSize(1);
      assertThat(log.deleteOldSegments()).isZero();
    }
  }

  @Test
  void shouldNeverDeleteBeyondTheHighWatermark() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = directory.create(
          LogFixture.ORDERS, config("cleanup.policy", "delete", "retention.bytes", "0"), logEnd -> Math.min(logEnd, 3));
      appendMany(log, 20);
      // When, then
      assertThat(log.deleteOldSegments()).isZero();
    }
  }

  @Test
  void shouldLeaveTheLogAsItWasWhenTheDiskIsFull() {
    // Given
    SimulatedDisk full = new SimulatedDisk();
    try (LogDirectory directory = open(full, Path.of("/data"))) {
      PartitionLog log = create(directory, config());
      appendMany(log, 3);
      long size = log.sizeBytes();
      full.limitSpace(40);
      // When
      assertThatThrownBy(() -> append(log, "key3", "value3"))
          .isInstanceOf(DiskFailureException.class)
          .hasMessageContaining("No space left");
      // Then
      assertThat(log.sizeBytes()).isEqualTo(size);
      assertThat(full.size(log.segments().active().logPath())).isEqualTo(size);
      full.limitSpace(Long.MAX_VALUE);
      appendMany(log, 40);
      assertThat(read(log)).isEqualTo(expected(0, 43));
    }
  }

  @Test
  void shouldTakeNoWritesAfterAFailedSyncButReadOn() {
    // Given
    SimulatedDisk failing = new SimulatedDisk();
    LogDirectory directory = open(failing, Path.of("/data"));
    PartitionLog log = create(directory, config());
    appendMany(log, 3);
    failing.failSync(1);
    // When
    assertThatThrownBy(log::flush).isInstanceOf(DiskFailureException.class);
    // Then
    assertThatThrownBy(() -> append(log, "a", "1")).isInstanceOf(LogClosedException.class)
        .hasMessageContaining("open it again");
    assertThatThrownBy(log::flush).isInstanceOf(LogClosedException.class);
    assertThat(log.logEndOffset()).isEqualTo(3);
    assertThat(log.recoveryPoint()).isZero();
    directory.close();
    assertThat(failing.exists(Path.of("/data/.kafka_cleanshutdown"))).isFalse();
  }

  @Test
  void shouldKeepASegmentReadableThatWasDeletedWhileHeld() {
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = create(
          directory, config("cleanup.policy", "delete", "retention.bytes", "0", "segment.bytes", "14",
              "file.delete.delay.ms", "0"));
      appendMany(log, 3);
      Segment oldest = log.segments().all().get(0);
      assertThat(oldest.retain()).isTrue();
      // When
      log.deleteOldSegments();
      log.deleteExpiredFiles();
      // Then
      assertThat(disk.exists(oldest.logPath())).isFalse();
      assertThat(read(oldest)).containsExactly("0:key0=value0");
      oldest.release();
      assertThat(oldest.retain()).isFalse();
    }
  }

  @Test
  void shouldKeepFewFilesOpenHoweverManySegmentsThereAre() {
    SimulatedDisk counting = new SimulatedDisk();
    try (LogDirectory directory = open(counting, Path.of("/data"))) {
      // Given
      PartitionLog log = create(directory, config("segment.bytes", "14"));
      appendMany(log, 200);
      // When
      log.flush();
      read(log);
      // Then
      assertThat(log.segments().all()).hasSize(200);
      assertThat(counting.openFiles()).hasSizeLessThanOrEqualTo(3);
    }
    assertThat(counting.openFiles()).isEmpty();
  }

  @Test
  void shouldServeReadersWhileOneThreadAppends() throws Exception {
    int readers = 32;
    ExecutorService pool = Executors.newFixedThreadPool(readers);
    try (LogDirectory directory = open(disk, root)) {
      // Given
      PartitionLog log = create(directory, config("segment.bytes", "2000"));
      CountDownLatch started = new CountDownLatch(readers);
      int total = 300;
      Callable<Integer> reader = () -> {
        started.countDown();
        int rounds = 0;
        long end;
        do {
          end = log.logEndOffset();
          List<String> records = read(log);
          assertThat(records).hasSizeGreaterThanOrEqualTo((int) end);
          assertThat(records).isEqualTo(expected(0, records.size()));
          rounds++;
        } while (end < total);
        return rounds;
      };
      List<Future<Integer>> results = IntStream.range(0, readers).mapToObj(i -> pool.submit(reader)).toList();
      started.await();
      // When
      appendMany(log, total);
      // Then
      for (Future<Integer> result : results) {
        assertThat(result.get()).isPositive();
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
