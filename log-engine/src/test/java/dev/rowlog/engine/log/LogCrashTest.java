package dev.rowlog.engine.log;

import static dev.rowlog.engine.log.LogFixture.ORDERS;
import static dev.rowlog.engine.log.LogFixture.appendMany;
import static dev.rowlog.engine.log.LogFixture.config;
import static dev.rowlog.engine.log.LogFixture.create;
import static dev.rowlog.engine.log.LogFixture.expected;
import static dev.rowlog.engine.log.LogFixture.load;
import static dev.rowlog.engine.log.LogFixture.open;
import static dev.rowlog.engine.log.LogFixture.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.disk.CrashException;
import dev.rowlog.engine.disk.CrashPoints;
import dev.rowlog.engine.disk.RebootPolicy;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.log.RecoveryReport.LostRange;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.log.replacement.SegmentReplacement;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import dev.rowlog.engine.segment.SegmentFileName.State;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The machine crashes at every change of the disk; what was promised must be there, and the log must go on. */
class LogCrashTest {
  private static final Path ROOT = Path.of("/data");

  /** A scenario on a directory with one log; remembers what it was promised. */
  private abstract static class Life implements CrashPoints.Run {
    /** Offsets below were flushed. */
    long durableEnd;
    /** What was appended at most. */
    long writtenEnd;

    abstract void live(LogDirectory directory);

    @Override
    public void run(SimulatedDisk disk) {
      try (LogDirectory directory = open(disk, ROOT)) {
        live(directory);
      }
      durableEnd = writtenEnd;
    }

    void append(PartitionLog log, int count) {
      for (int i = 0; i < count; i++) {
        writtenEnd = log.logEndOffset() + 1;
        appendMany(log, 1);
      }
    }

    void flush(PartitionLog log) {
      long end = log.logEndOffset();
      log.flush();
      durableEnd = end;
    }
  }

  @Test
  void shouldKeepWhatWasFlushedAndNothingHalf() {
    // Given
    SimulatedDisk start = new SimulatedDisk();
    // When, then
    long changes = CrashPoints.forEach(start, () -> new Life() {
      @Override
      void live(LogDirectory directory) {
        PartitionLog log = create(directory, config());
        for (int round = 0; round < 2; round++) {
          append(log, 6);
          flush(log);
          directory.writeCheckpoints();
          append(log, 2);
        }
      }

      @Override
      public void check(SimulatedDisk rebooted) {
        checkEnds(rebooted, durableEnd, writtenEnd);
      }
    });
    assertThat(changes).isGreaterThan(100);
  }

  private static void checkEnds(SimulatedDisk disk, long durableEnd, long writtenEnd) {
    long end;
    try (LogDirectory directory = open(disk, ROOT)) {
      if (directory.partitions().isEmpty()) {
        assertThat(durableEnd).isZero();
        // A creation that was cut short may be tried again.
        appendMany(create(directory, config()), 3);
        return;
      }
      PartitionLog log = load(directory, config());
      end = log.logEndOffset();
      assertThat(end).isBetween(durableEnd, writtenEnd);
      assertThat(read(log)).isEqualTo(expected(0, end));
      assertThat(log.recoveryReport().lostRanges()).allSatisfy(
          lost -> assertThat(lost.firstOffset()).isGreaterThanOrEqualTo(durableEnd));
      appendMany(log, 8);
    }
    try (LogDirectory directory = open(disk, ROOT)) {
      assertThat(read(load(directory, config()))).isEqualTo(expected(0, end + 8));
    }
  }

  @Test
  void shouldRecoverAgainWhenTheRecoveryCrashes() {
    // Given
    SimulatedDisk life = new SimulatedDisk();
    LogDirectory directory = open(life, ROOT);
    PartitionLog log = create(directory, config());
    appendMany(log, 9);
    log.flush();
    directory.writeCheckpoints();
    appendMany(log, 12);
    life.crash();
    for (RebootPolicy policy : List.of(RebootPolicy.EVERYTHING, RebootPolicy.ONLY_NAMES, RebootPolicy.SUBSET)) {
      // When, then
      CrashPoints.forEach(life.reboot(policy, 3), () -> new CrashPoints.Run() {
        @Override
        public void run(SimulatedDisk disk) {
          try (LogDirectory again = open(disk, ROOT)) {
            load(again, config());
          }
        }

        @Override
        public void check(SimulatedDisk rebooted) {
          checkEnds(rebooted, 9, 21);
        }
      });
    }
  }

  @Test
  void shouldCutToTheCommitWhateverTheCrashHasKept() {
    // Given
    SimulatedDisk start = new SimulatedDisk();
    // When, then
    CrashPoints.forEach(start, () -> new Life() {
      private long committed;

      @Override
      void live(LogDirectory directory) {
        PartitionLog log = directory.create(ORDERS, config(), logEnd -> committed);
        for (int round = 0; round < 2; round++) {
          append(log, 5);
          flush(log);
          committed = log.logEndOffset();
          directory.writeCheckpoints();
          append(log, 9);
          flush(log);
          directory.writeCheckpoints();
          log.truncateTo(committed);
        }
      }

      @Override
      public void check(SimulatedDisk rebooted) {
        long end = committed;
        try (LogDirectory directory = open(rebooted, ROOT)) {
          if (directory.partitions().isEmpty()) {
            assertThat(end).isZero();
            return;
          }
          PartitionLog log = load(directory, config(), end);
          assertThat(log.logEndOffset()).isEqualTo(end);
          assertThat(log.recoveryPoint()).isLessThanOrEqualTo(end);
          assertThat(read(log)).isEqualTo(expected(0, end));
          appendMany(log, 7);
          log.flush();
        }
        try (LogDirectory directory = open(rebooted, ROOT)) {
          assertThat(read(load(directory, config(), end + 7))).isEqualTo(expected(0, end + 7));
        }
      }
    });
  }

  @Test
  void shouldHaveReplacedSegmentsWholeOrNotAtAll() {
    // Given: two groups of sources, of which a cleaning keeps the even offsets.
    SimulatedDisk start = new SimulatedDisk();
    try (LogDirectory directory = open(start, ROOT)) {
      appendMany(create(directory, config()), 30);
    }
    List<String> before = expected(0, 30);
    // When, then
    CrashPoints.forEach(start, () -> new CrashPoints.Run() {
      private int swapped;

      @Override
      public void run(SimulatedDisk disk) {
        try (LogDirectory directory = open(disk, ROOT)) {
          PartitionLog log = load(directory, config());
          clean(disk, log, 0, 2);
          swapped = 1;
          clean(disk, log, 1, 4);
          swapped = 2;
          log.deleteExpiredFiles();
        }
      }

      @Override
      public void check(SimulatedDisk rebooted) {
        List<String> found;
        try (LogDirectory directory = open(rebooted, ROOT)) {
          PartitionLog log = load(directory, config());
          found = read(log);
          assertThat(rebooted.list(log.directory())).allSatisfy(
              name -> assertThat(name).doesNotContain(".cleaned", ".swap", ".deleted", SegmentReplacement.PLAN));
          assertThat(log.logEndOffset()).isEqualTo(30);
        }
        List<List<String>> states = List.of(before, evenBelow(12), evenBelow(24));
        assertThat(states.subList(swapped, 3)).contains(found);
        try (LogDirectory directory = open(rebooted, ROOT)) {
          assertThat(read(load(directory, config()))).isEqualTo(found);
        }
      }
    });
  }

  /** Replaces some segments by two that keep the even offsets, as a cleaner would. */
  static void clean(SimulatedDisk disk, PartitionLog log, int firstSegment, int endSegment) {
    List<Segment> sources = log.segments().all().subList(firstSegment, endSegment);
    List<Segment> cleaned = new ArrayList<>();
    for (int half = 0; half < 2; half++) {
      List<Segment> part = sources.subList(half * sources.size() / 2, (half + 1) * sources.size() / 2);
      Segment output = Segment.create(
          disk, log.directory(), part.get(0).baseOffset(), State.CLEANED, log.config().indexSettings());
      for (Segment source : part) {
        copyEven(source, output);
      }
      output.becomeInactive();
      output.sync();
      cleaned.add(output);
    }
    log.replaceSegments(new SegmentReplacement(sources, cleaned));
  }

  private static void copyEven(Segment source, Segment output) {
    assertThat(source.retain()).isTrue();
    BatchScanner scanner = new BatchScanner(source.logFile(), 0, source.sizeBytes(), 4096);
    while (scanner.next()) {
      if (scanner.batch().baseOffset() % 2 == 0) {
        ByteBuffer batch = scanner.batch().buffer().duplicate();
        output.append(batch.limit(scanner.batch().end()).position(scanner.batch().start()));
      }
    }
    source.release();
  }

  private static List<String> evenBelow(long end) {
    List<String> records = new ArrayList<>();
    LongStream.range(0, 30).filter(offset -> offset >= end || offset % 2 == 0)
        .forEach(offset -> records.addAll(expected(offset, offset + 1)));
    return records;
  }

  @Test
  void shouldLoseNoRecordThatStaysWhenRetentionCrashes() {
    // Given
    SimulatedDisk start = new SimulatedDisk();
    LogConfig config = config("cleanup.policy", "delete", "retention.bytes", "600", "file.delete.delay.ms", "0");
    try (LogDirectory directory = open(start, ROOT)) {
      appendMany(create(directory, config), 30);
    }
    // When, then
    CrashPoints.forEach(start, () -> new CrashPoints.Run() {
      @Override
      public void run(SimulatedDisk disk) {
        try (LogDirectory directory = open(disk, ROOT)) {
          PartitionLog log = load(directory, config);
          assertThat(log.deleteOldSegments()).isPositive();
          log.deleteExpiredFiles();
        }
      }

      @Override
      public void check(SimulatedDisk rebooted) {
        try (LogDirectory directory = open(rebooted, ROOT)) {
          List<String> found = read(load(directory, config));
          assertThat(expected(0, 30)).containsAll(found);
          assertThat(found).containsAll(expected(24, 30));
        }
      }
    });
  }

  @Test
  void shouldReportWhatAFaultOfTheDiskHasLost() {
    // Given: power is lost, and of the bytes that were never synced a middle sector is missing.
    SimulatedDisk life = new SimulatedDisk();
    LogDirectory directory = open(life, ROOT);
    PartitionLog log = create(directory, config("segment.bytes", "100000"));
    appendMany(log, 5);
    log.flush();
    directory.writeCheckpoints();
    appendMany(log, 200);
    life.crash();
    int reported = 0;
    for (long seed = 1; seed <= 40; seed++) {
      // When
      SimulatedDisk rebooted = life.reboot(RebootPolicy.SUBSET, seed);
      try (LogDirectory again = open(rebooted, ROOT)) {
        PartitionLog recovered = load(again, config());
        // Then
        assertThat(read(recovered)).isEqualTo(expected(0, recovered.logEndOffset()));
        for (LostRange lost : recovered.recoveryReport().lostRanges()) {
          reported++;
          assertThat(lost.firstOffset()).isEqualTo(recovered.logEndOffset());
          assertThat(lost.endOffset()).isGreaterThan(lost.firstOffset()).isLessThanOrEqualTo(205);
          assertThat(lost.setAside()).allMatch(rebooted::exists);
        }
      }
    }
    assertThat(reported).isPositive();
  }

  @Test
  void shouldGoOnAfterACrashThatTheCallerSurvives() {
    // Given
    SimulatedDisk disk = new SimulatedDisk();
    LogDirectory directory = open(disk, ROOT);
    PartitionLog log = create(directory, config());
    disk.crashAt(1);
    // When
    try {
      appendMany(log, 1);
    } catch (CrashException e) {
      assertThat(log.logEndOffset()).isZero();
    }
    // Then
    checkEnds(disk.reboot(RebootPolicy.EVERYTHING, 1), 0, 1);
  }
}
