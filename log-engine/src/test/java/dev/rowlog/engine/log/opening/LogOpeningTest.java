package dev.rowlog.engine.log.opening;

import static dev.rowlog.engine.log.LogFixture.ORDERS;
import static dev.rowlog.engine.log.LogFixture.append;
import static dev.rowlog.engine.log.LogFixture.appendMany;
import static dev.rowlog.engine.log.LogFixture.config;
import static dev.rowlog.engine.log.LogFixture.create;
import static dev.rowlog.engine.log.LogFixture.expected;
import static dev.rowlog.engine.log.LogFixture.load;
import static dev.rowlog.engine.log.LogFixture.open;
import static dev.rowlog.engine.log.LogFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.disk.RebootPolicy;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.log.LogFixture;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.RecoveryReport.LostRange;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.Segment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogOpeningTest {
  private static final Path ROOT = Path.of("/data");
  private static final Path FOLDER = ROOT.resolve(ORDERS.directoryName());
  private static final LogConfig ONE_SEGMENT = config("segment.bytes", "1000000");

  /** A directory whose process was killed: everything is on the disk, without a clean stop. */
  private static SimulatedDisk killed(LogConfig config, int records) {
    SimulatedDisk disk = new SimulatedDisk();
    LogDirectory directory = open(disk, ROOT);
    appendMany(create(directory, config), records);
    return disk.reboot(RebootPolicy.EVERYTHING, 0);
  }

  /** As {@link #killed}, but what the log holds was flushed and the checkpoints written. */
  private static SimulatedDisk killedAfterFlush(LogConfig config, int records) {
    SimulatedDisk disk = new SimulatedDisk();
    LogDirectory directory = open(disk, ROOT);
    PartitionLog log = create(directory, config);
    appendMany(log, records);
    log.flush();
    directory.writeCheckpoints();
    return disk.reboot(RebootPolicy.EVERYTHING, 0);
  }

  private static SimulatedDisk closed(LogConfig config, int records) {
    SimulatedDisk disk = new SimulatedDisk();
    try (LogDirectory directory = open(disk, ROOT)) {
      appendMany(create(directory, config), records);
    }
    return disk;
  }

  private static Path file(long baseOffset, String extension) {
    return FOLDER.resolve(String.format(Locale.ROOT, "%020d", baseOffset) + extension);
  }

  private static void write(SimulatedDisk disk, Path file, long position, byte... bytes) {
    try (DiskFile target = disk.openForWrite(file)) {
      target.write(ByteBuffer.wrap(bytes), position);
    }
  }

  private static void flipBit(SimulatedDisk disk, Path file, long position) {
    byte before = disk.readAll(file)[(int) position];
    write(disk, file, position, (byte) (before ^ 4));
  }

  private static void truncate(SimulatedDisk disk, Path file, long size) {
    try (DiskFile target = disk.openForWrite(file)) {
      target.truncate(size);
    }
  }

  /** Byte positions of the batches of a log of one segment, and its end. */
  private static List<Long> batchPositions(SimulatedDisk disk, int records) {
    SimulatedDisk copy = disk.reboot(RebootPolicy.EVERYTHING, 0);
    try (LogDirectory directory = open(copy, ROOT)) {
      Segment segment = load(directory, ONE_SEGMENT).segments().active();
      long bytes = segment.sizeBytes() / records;
      return LongStream.rangeClosed(0, records).mapToObj(i -> i * bytes).toList();
    }
  }

  @Test
  void shouldKeepBatchesBeforeATornTailWhereverItIsTorn() {
    // Given: three batches of one size.
    SimulatedDisk start = killed(ONE_SEGMENT, 3);
    long batchBytes = start.size(file(0, ".log")) / 3;
    for (long size = 0; size <= 3 * batchBytes; size++) {
      SimulatedDisk disk = start.reboot(RebootPolicy.EVERYTHING, 0);
      truncate(disk, file(0, ".log"), size);
      // When
      try (LogDirectory directory = open(disk, ROOT)) {
        PartitionLog log = load(directory, ONE_SEGMENT);
        // Then
        assertThat(log.logEndOffset()).isEqualTo(size / batchBytes);
        assertThat(read(log)).isEqualTo(expected(0, size / batchBytes));
        assertThat(log.recoveryReport().cutBytes()).isEqualTo(size % batchBytes);
        assertThat(log.recoveryReport().lostRanges()).isEmpty();
        appendMany(log, 2);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 11, 12, 61, 5000})
  void shouldCutZerosAndGarbageBehindTheLastBatch(int bytes) {
    for (byte filling : new byte[]{0, 1, (byte) 0xff}) {
      // Given
      SimulatedDisk disk = killed(ONE_SEGMENT, 3);
      long size = disk.size(file(0, ".log"));
      byte[] tail = new byte[bytes];
      Arrays.fill(tail, filling);
      write(disk, file(0, ".log"), size, tail);
      // When
      try (LogDirectory directory = open(disk, ROOT)) {
        PartitionLog log = load(directory, ONE_SEGMENT);
        // Then
        assertThat(read(log)).isEqualTo(expected(0, 3));
        assertThat(log.recoveryReport().cutBytes()).isEqualTo(bytes);
        assertThat(disk.size(file(0, ".log"))).isEqualTo(size);
      }
    }
  }

  @Test
  void shouldReportTheExactRangeLostToAFlippedBitAndSetItsBytesAside() {
    // Given
    SimulatedDisk start = killed(ONE_SEGMENT, 10);
    List<Long> positions = batchPositions(start, 10);
    long size = start.size(file(0, ".log"));
    for (long position = positions.get(3); position < positions.get(4); position++) {
      SimulatedDisk disk = start.reboot(RebootPolicy.EVERYTHING, 0);
      flipBit(disk, file(0, ".log"), position);
      // When
      try (LogDirectory directory = open(disk, ROOT)) {
        PartitionLog log = load(directory, ONE_SEGMENT);
        boolean isUnprotected = position - positions.get(3) >= 12 && position - positions.get(3) < 16;
        if (isUnprotected) {
          // The leader epoch is outside of the CRC.
          assertThat(log.logEndOffset()).isEqualTo(10);
          continue;
        }
        // Then
        assertThat(read(log)).isEqualTo(expected(0, 3));
        LostRange lost = log.recoveryReport().lostRanges().get(0);
        assertThat(lost.firstOffset()).isEqualTo(3);
        assertThat(lost.endOffset()).isEqualTo(10);
        assertThat(disk.size(lost.setAside().get(0))).isEqualTo(size - positions.get(3));
      }
    }
  }

  @Test
  void shouldReportWhatFollowingSegmentsLoseToACorruptBatch() {
    // Given
    SimulatedDisk disk = killed(config(), 20);
    flipBit(disk, file(6, ".log"), 70);
    // When
    try (LogDirectory directory = open(disk, ROOT)) {
      PartitionLog log = load(directory, config());
      // Then
      assertThat(log.logEndOffset()).isEqualTo(6);
      LostRange lost = log.recoveryReport().lostRanges().get(0);
      assertThat(lost.firstOffset()).isEqualTo(6);
      assertThat(lost.endOffset()).isEqualTo(20);
      assertThat(lost.setAside()).hasSize(3);
      appendMany(log, 20);
      assertThat(read(log)).isEqualTo(expected(0, 26));
    }
  }

  @Test
  void shouldNotScanWhatLiesBelowTheRecoveryPoint() {
    // Given
    SimulatedDisk disk = killedAfterFlush(config(), 20);
    // When
    try (LogDirectory directory = open(disk, ROOT)) {
      PartitionLog log = load(directory, config());
      // Then
      assertThat(log.recoveryReport().cleanStop()).isFalse();
      assertThat(log.recoveryReport().scannedSegments()).isEqualTo(1);
      assertThat(log.recoveryPoint()).isEqualTo(20);
    }
  }

  @Test
  void shouldRefuseALogThatIsCorruptBelowItsCommit() {
    // Given
    SimulatedDisk disk = killed(config(), 20);
    flipBit(disk, file(6, ".log"), 70);
    byte[] before = disk.readAll(file(6, ".log"));
    // When, then
    try (LogDirectory directory = open(disk, ROOT)) {
      assertThatThrownBy(() -> load(directory, config(), 20))
          .isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("00000000000000000006.log at position 0")
          .hasMessageContaining("short of its commit")
          .hasMessageContaining("committed is 20");
    }
    assertThat(disk.readAll(file(6, ".log"))).isEqualTo(before);
    assertThat(disk.exists(file(12, ".log"))).isTrue();
    assertThat(disk.exists(ROOT.resolve(".kafka_cleanshutdown"))).isFalse();
    assertThat(disk.openFiles()).isEmpty();
  }

  @Test
  void shouldRefuseALogThatEndsBeforeItsCommit() {
    SimulatedDisk disk = closed(config(), 20);
    try (LogDirectory directory = open(disk, ROOT)) {
      assertThatThrownBy(() -> load(directory, config(), 21))
          .isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("ends at offset 20, committed is 21");
    }
  }

  @Test
  void shouldRefuseACommitInTheMiddleOfABatch() {
    // Given
    SimulatedDisk disk = new SimulatedDisk();
    try (LogDirectory directory = open(disk, ROOT)) {
      PartitionLog log = create(directory, config());
      RecordBatchEncoder batch = new RecordBatchEncoder(Compression.NONE);
      batch.add(1, LogFixture.bytes("a"), null, List.of());
      batch.add(1, LogFixture.bytes("b"), null, List.of());
      log.append(batch);
    }
    // When, then
    try (LogDirectory directory = open(disk, ROOT)) {
      assertThatThrownBy(() -> load(directory, config(), 1))
          .isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("a batch crosses the commit");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 5, 6, 7, 12, 19, 20})
  void shouldCutEverythingBeyondTheCommit(long committed) {
    for (SimulatedDisk disk : List.of(closed(config(), 20), killed(config(), 20))) {
      // When
      try (LogDirectory directory = open(disk, ROOT)) {
        PartitionLog log = load(directory, config(), committed);
        // Then
        assertThat(log.logEndOffset()).isEqualTo(committed);
        assertThat(read(log)).isEqualTo(expected(0, committed));
      }
      try (LogDirectory directory = open(disk, ROOT)) {
        PartitionLog log = load(directory, config());
        assertThat(log.logEndOffset()).isEqualTo(committed);
        appendMany(log, 10);
        assertThat(read(log)).isEqualTo(expected(0, committed + 10));
      }
    }
  }

  @Test
  void shouldCutABadBatchBeyondTheCommitWithWhatFollows() {
    // Given
    SimulatedDisk disk = killed(config(), 20);
    flipBit(disk, file(6, ".log"), 70);
    // When
    try (LogDirectory directory = open(disk, ROOT)) {
      PartitionLog log = load(directory, config(), 4);
      // Then
      assertThat(read(log)).isEqualTo(expected(0, 4));
      assertThat(log.recoveryReport().lostRanges()).isEmpty();
      assertThat(disk.exists(file(12, ".log"))).isFalse();
    }
  }

  @Test
  void shouldCutToTheCommitWhenNamesOfRolledSegmentsAreLost() {
    // Given
    SimulatedDisk disk = killed(config(), 20);
    disk.delete(file(6, ".log"));
    // When
    try (LogDirectory directory = open(disk, ROOT)) {
      PartitionLog log = load(directory, config(), 6);
      // Then
      assertThat(read(log)).isEqualTo(expected(0, 6));
      assertThat(log.logEndOffset()).isEqualTo(6);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".index", ".timeindex"})
  void shouldMakeAMissingIndexAgainAndOnlyThat(String extension) {
    // Given
    SimulatedDisk disk = closed(config(), 40);
    byte[] index = disk.readAll(file(6, extension));
    disk.delete(file(6, extension));
    // When
    try (LogDirectory directory = open(disk, ROOT)) {
      load(directory, config());
      // Then
      assertThat(disk.readAll(file(6, extension))).isEqualTo(index);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".index", ".timeindex"})
  void shouldMakeADamagedIndexAgain(String extension) {
    SimulatedDisk start = closed(config("segment.bytes", "20000"), 200);
    byte[] index = start.readAll(file(0, extension));
    List<Damage> damages = List.of(
        (disk, file) -> truncate(disk, file, index.length - 1),
        (disk, file) -> truncate(disk, file, 0),
        (disk, file) -> write(disk, file, index.length, new byte[]{1, 2, 3}),
        (disk, file) -> write(disk, file, 0, new byte[]{(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff}),
        (disk, file) -> write(disk, file, 4 * 12, new byte[24]));
    for (Damage damage : damages) {
      // Given
      SimulatedDisk disk = start.reboot(RebootPolicy.EVERYTHING, 0);
      damage.apply(disk, file(0, extension));
      // When
      try (LogDirectory directory = open(disk, ROOT)) {
        PartitionLog log = load(directory, config("segment.bytes", "20000"));
        // Then
        assertThat(log.segments().active().largestTimestamp()).isEqualTo(LogFixture.T0 + 199);
        assertThat(read(log)).isEqualTo(expected(0, 200));
      }
      assertThat(disk.readAll(file(0, extension))).isEqualTo(index);
    }
  }

  @FunctionalInterface
  private interface Damage {
    void apply(SimulatedDisk disk, Path file);
  }

  @Test
  void shouldDropIndexFilesWithoutALog() {
    // Given
    SimulatedDisk disk = closed(config(), 3);
    disk.create(file(7, ".index")).close();
    disk.create(file(9, ".txnindex")).close();
    disk.create(file(5, ".log.deleted")).close();
    // When
    try (LogDirectory directory = open(disk, ROOT)) {
      load(directory, config());
    }
    // Then
    assertThat(disk.list(FOLDER))
        .noneMatch(name -> name.contains("007") || name.contains("009") || name.contains("deleted"));
  }

  @Test
  void shouldNotChangeModificationTimesByOpening() {
    // Given
    for (SimulatedDisk disk : List.of(closed(config(), 20), killed(config(), 20))) {
      disk.setLastModified(file(6, ".log"), 12_345);
      if (!disk.exists(ROOT.resolve(".kafka_cleanshutdown"))) {
        write(disk, file(18, ".log"), disk.size(file(18, ".log")), new byte[]{1, 2, 3});
      }
      disk.setLastModified(file(18, ".log"), 23_456);
      // When
      for (int i = 0; i < 2; i++) {
        try (LogDirectory directory = open(disk, ROOT)) {
          load(directory, config());
        }
      }
      // Then
      assertThat(disk.lastModified(file(6, ".log"))).isEqualTo(12_345);
      assertThat(disk.lastModified(file(18, ".log"))).isEqualTo(23_456);
    }
  }

  @Test
  void shouldCutNothingWhereTheDiskFailsDuringRecovery() {
    // Given
    SimulatedDisk start = killed(config("segment.bytes", "100000"), 40);
    byte[] log = start.readAll(file(0, ".log"));
    for (int write = 1; write <= 2; write++) {
      SimulatedDisk disk = start.reboot(RebootPolicy.EVERYTHING, 0);
      disk.failWrite(write);
      // When
      try (LogDirectory directory = open(disk, ROOT)) {
        assertThatThrownBy(() -> load(directory, config())).isInstanceOf(DiskFailureException.class);
        // Then
        assertThat(disk.readAll(file(0, ".log"))).isEqualTo(log);
        assertThat(read(load(directory, config()))).isEqualTo(expected(0, 40));
      }
    }
  }

  @Test
  void shouldOpenAgainInTheSameProcessAfterAFailedSync() {
    // Given
    SimulatedDisk disk = new SimulatedDisk();
    try (LogDirectory directory = open(disk, ROOT)) {
      PartitionLog log = create(directory, config());
      appendMany(log, 4);
      log.flush();
      appendMany(log, 4);
      disk.failSync(1);
      assertThatThrownBy(log::flush).isInstanceOf(DiskFailureException.class);
      // When
      PartitionLog again = load(directory, config());
      // Then
      assertThat(again).isNotSameAs(log);
      assertThat(again.logEndOffset()).isGreaterThanOrEqualTo(4);
      appendMany(again, 3);
      again.flush();
      assertThat(directory.log(ORDERS)).contains(again);
    }
    assertThat(disk.exists(ROOT.resolve(".kafka_cleanshutdown"))).isTrue();
  }

  @Test
  void shouldKeepTheWiderOfTwoSegmentsThatOverlap() {
    // Given: merged [0, 12) beside the source [6, 12) that was never removed.
    SimulatedDisk disk = closed(config(), 12);
    byte[] first = disk.readAll(file(0, ".log"));
    byte[] second = disk.readAll(file(6, ".log"));
    write(disk, file(0, ".log"), first.length, second);
    disk.delete(file(0, ".index"));
    // When
    try (LogDirectory directory = open(disk, ROOT)) {
      PartitionLog log = load(directory, config());
      // Then
      assertThat(read(log)).isEqualTo(expected(0, 12));
      assertThat(log.segments().all()).hasSize(1);
      assertThat(append(log, "a", "1").baseOffset()).isEqualTo(12);
    }
  }

  @Test
  void shouldNotDeleteDataForALogStartCheckpointBeyondTheEnd() {
    // Given
    SimulatedDisk disk = closed(config(), 12);
    new OffsetCheckpoint(disk, ROOT, OffsetCheckpoint.LOG_START).write(Map.of(ORDERS, 500L));
    // When
    try (LogDirectory directory = open(disk, ROOT)) {
      PartitionLog log = load(directory, config());
      // Then
      assertThat(log.logStartOffset()).isZero();
      assertThat(read(log)).isEqualTo(expected(0, 12));
      assertThat(log.recoveryReport().notes()).anyMatch(note -> note.contains("500"));
    }
  }

  @Test
  void shouldRefuseALengthThatCannotBeInAClosedSegment() {
    for (byte[] length : new byte[][]{{0, 0, 0, 0}, {-1, -1, -1, -1}, {0x7f, -1, -1, -1}}) {
      SimulatedDisk disk = closed(ONE_SEGMENT, 1);
      write(disk, file(0, ".log"), 8, length);
      try (LogDirectory directory = open(disk, ROOT)) {
        assertThatThrownBy(() -> load(directory, ONE_SEGMENT))
            .isInstanceOf(CorruptLogException.class)
            .hasMessageContaining("00000000000000000000.log at position 0")
            .hasMessageContaining("batch size");
      }
    }
  }
}
