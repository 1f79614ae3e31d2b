package dev.rowlog.engine.log.replacement;

import static dev.rowlog.engine.log.LogFixture.ORDERS;
import static dev.rowlog.engine.log.LogFixture.append;
import static dev.rowlog.engine.log.LogFixture.config;
import static dev.rowlog.engine.log.LogFixture.create;
import static dev.rowlog.engine.log.LogFixture.load;
import static dev.rowlog.engine.log.LogFixture.open;
import static dev.rowlog.engine.log.LogFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.log.LogFixture;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.SegmentList;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.Segment;
import dev.rowlog.engine.segment.SegmentFileName;
import dev.rowlog.engine.segment.SegmentFileName.State;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A log of four segments of one record, of which the first three are replaced by two: [0, 2) with b, [2, 3) with c.
 * Key a was superseded.
 */
class SegmentReplacementTest {
  private static final Path ROOT = Path.of("/data");
  private static final Path FOLDER = ROOT.resolve(ORDERS.directoryName());
  private static final LogConfig CONFIG = config("segment.bytes", "14", "file.delete.delay.ms", "0");
  private static final List<String> BEFORE = List.of("0:a=1", "1:b=1", "2:c=1", "3:a=2");
  private static final List<String> AFTER = List.of("1:b=1", "2:c=1", "3:a=2");

  private final SimulatedDisk disk = new SimulatedDisk();

  /**
   * Every state of the files that Kafka's protocol, or ours, can leave (Kafka {@code
   * LogCleanerTest.testRecoveryAfterCrash}).
   */
  enum Crash {
    WHILE_CLEANING(false) {
      @Override
      void leave(Names names) {}
    },
    AFTER_THE_UPPER_SWAP_RENAME(false) {
      @Override
      void leave(Names names) {
        names.rename(2, State.CLEANED, State.SWAP);
      }
    },
    AFTER_THE_LOG_OF_THE_LOWER_SWAP_RENAME(false) {
      @Override
      void leave(Names names) {
        names.rename(2, State.CLEANED, State.SWAP);
        names.rename("00000000000000000000.log.cleaned", "00000000000000000000.log.swap");
      }
    },
    AFTER_ALL_SWAP_RENAMES(true) {
      @Override
      void leave(Names names) {
        names.rename(2, State.CLEANED, State.SWAP);
        names.rename(0, State.CLEANED, State.SWAP);
      }
    },
    AFTER_THE_FIRST_SOURCE_WAS_RETIRED(true) {
      @Override
      void leave(Names names) {
        AFTER_ALL_SWAP_RENAMES.leave(names);
        names.rename(0, State.FINAL, State.DELETED);
      }
    },
    AFTER_THE_FIRST_SOURCE_WAS_UNLINKED(true) {
      @Override
      void leave(Names names) {
        AFTER_THE_FIRST_SOURCE_WAS_RETIRED.leave(names);
        names.delete(0, State.DELETED);
      }
    },
    AFTER_ALL_SOURCES_WERE_RETIRED(true) {
      @Override
      void leave(Names names) {
        AFTER_THE_FIRST_SOURCE_WAS_RETIRED.leave(names);
        names.rename(1, State.FINAL, State.DELETED);
        names.rename(2, State.FINAL, State.DELETED);
      }
    },
    AFTER_THE_FIRST_FINAL_RENAME(true) {
      @Override
      void leave(Names names) {
        AFTER_ALL_SOURCES_WERE_RETIRED.leave(names);
        names.rename(0, State.SWAP, State.FINAL);
      }
    },
    AFTER_THE_LAST_LOG_BUT_NOT_ITS_INDEXES(true) {
      @Override
      void leave(Names names) {
        AFTER_THE_FIRST_FINAL_RENAME.leave(names);
        names.rename("00000000000000000002.log.swap", "00000000000000000002.log");
      }
    },
    AFTER_ALL_FINAL_RENAMES(true) {
      @Override
      void leave(Names names) {
        AFTER_THE_FIRST_FINAL_RENAME.leave(names);
        names.rename(2, State.SWAP, State.FINAL);
      }
    };

    private final boolean committed;

    Crash(boolean committed) {
      this.committed = committed;
    }

    abstract void leave(Names names);
  }

  /** Moves files about as the protocol would. */
  private record Names(SimulatedDisk disk) {
    void rename(long baseOffset, State from, State to) {
      for (SegmentFileName name : names(baseOffset, from)) {
        rename(name.toString(), name.withState(to).toString());
      }
    }

    void rename(String from, String to) {
      disk.rename(FOLDER.resolve(from), FOLDER.resolve(to));
    }

    void delete(long baseOffset, State state) {
      names(baseOffset, state).forEach(name -> disk.delete(FOLDER.resolve(name.toString())));
    }

    private List<SegmentFileName> names(long baseOffset, State state) {
      return disk.list(FOLDER).stream()
          .map(SegmentFileName::parse)
          .flatMap(Optional::stream)
          .filter(name -> name.baseOffset() == baseOffset && name.state() == state)
          .toList();
    }
  }

  private PartitionLog fill(LogDirectory directory) {
    PartitionLog log = create(directory, CONFIG);
    append(log, "a", "1");
    append(log, "b", "1");
    append(log, "c", "1");
    append(log, "a", "2");
    return log;
  }

  private Segment cleaned(PartitionLog log, long baseOffset, long offset, String key) {
    Segment output = Segment.create(disk, log.directory(), baseOffset, State.CLEANED, CONFIG.indexSettings());
    RecordBatchEncoder batch = new RecordBatchEncoder(Compression.NONE);
    batch.add(5, LogFixture.bytes(key), LogFixture.bytes("1"), List.of());
    output.append(batch.finish(offset, 0));
    output.becomeInactive();
    output.sync();
    return output;
  }

  private SegmentReplacement replacement(PartitionLog log) {
    List<Segment> cleaned = List.of(cleaned(log, 0, 1, "b"), cleaned(log, 2, 2, "c"));
    return new SegmentReplacement(log.segments().inactive(), cleaned);
  }

  private List<String> reopened() {
    try (LogDirectory directory = open(disk, ROOT)) {
      PartitionLog log = load(directory, CONFIG);
      assertThat(disk.list(FOLDER)).noneMatch(name -> name.matches(".*(cleaned|swap|deleted|plan).*"));
      assertThat(log.logEndOffset()).isEqualTo(4);
      return read(log);
    }
  }

  @ParameterizedTest
  @EnumSource(Crash.class)
  void shouldFinishOrUndoWhatKafkasProtocolHasLeft(Crash crash) {
    // Given
    try (LogDirectory directory = open(disk, ROOT)) {
      replacement(fill(directory)).cleaned().forEach(Segment::close);
    }
    crash.leave(new Names(disk));
    // When
    List<String> found = reopened();
    // Then
    assertThat(found).isEqualTo(crash.committed ? AFTER : BEFORE);
    assertThat(reopened()).isEqualTo(found);
  }

  @ParameterizedTest
  @EnumSource(Crash.class)
  void shouldFinishByThePlanWhicheverRenamesWereKept(Crash crash) {
    // Given
    try (LogDirectory directory = open(disk, ROOT)) {
      SegmentReplacement replacement = replacement(fill(directory));
      replacement.commit(disk, FOLDER);
      replacement.cleaned().forEach(Segment::close);
    }
    crash.leave(new Names(disk));
    // When, then
    assertThat(reopened()).isEqualTo(AFTER);
    assertThat(reopened()).isEqualTo(AFTER);
  }

  @Test
  void shouldPublishTheNewSegmentsAndKeepTheOldOnesForTheirReaders() {
    try (LogDirectory directory = open(disk, ROOT)) {
      // Given
      PartitionLog log = fill(directory);
      SegmentList before = log.segments();
      assertThat(before.all().get(0).retain()).isTrue();
      // When
      log.replaceSegments(replacement(log));
      // Then
      assertThat(read(log)).isEqualTo(AFTER);
      assertThat(log.deleteExpiredFiles()).isEqualTo(3);
      assertThat(read(before.all().get(0))).containsExactly("0:a=1");
      before.all().get(0).release();
      assertThat(before.all()).extracting(Segment::retain).containsExactly(false, false, false, true);
      before.active().release();
      assertThat(append(log, "d", "1").baseOffset()).isEqualTo(4);
    }
    assertThat(disk.openFiles()).isEmpty();
  }

  @Test
  void shouldChangeNothingWhereThePlanCannotBeWritten() {
    // Given
    try (LogDirectory directory = open(disk, ROOT)) {
      PartitionLog log = fill(directory);
      SegmentReplacement replacement = replacement(log);
      log.flush();
      directory.writeCheckpoints();
      disk.failWrite(1);
      // When
      assertThatThrownBy(() -> log.replaceSegments(replacement)).isInstanceOf(DiskFailureException.class);
      // Then
      replacement.cleaned().forEach(segment -> {
        segment.delete();
        segment.close();
      });
      assertThat(log.isWritable()).isTrue();
      assertThat(read(log)).isEqualTo(BEFORE);
      log.replaceSegments(replacement(log));
      assertThat(read(log)).isEqualTo(AFTER);
    }
    assertThat(reopened()).isEqualTo(AFTER);
  }

  @Test
  void shouldFinishAtTheNextOpeningWhatTheDiskRefusedAfterThePlan() {
    // Given
    LogDirectory directory = open(disk, ROOT);
    PartitionLog log = fill(directory);
    SegmentReplacement replacement = replacement(log);
    log.flush();
    directory.writeCheckpoints();
    // Of the syncs that follow, three make the plan durable.
    disk.failSync(4);
    // When
    assertThatThrownBy(() -> log.replaceSegments(replacement)).isInstanceOf(DiskFailureException.class);
    // Then
    assertThatThrownBy(() -> append(log, "d", "1")).isInstanceOf(LogClosedException.class);
    assertThat(read(log)).isEqualTo(BEFORE);
    directory.close();
    assertThat(reopened()).isEqualTo(AFTER);
  }

  @Test
  void shouldDropTheOutputsWhereRetentionHasTakenEverySource() {
    try (LogDirectory directory = open(disk, ROOT)) {
      // Given
      PartitionLog log = fill(directory);
      SegmentReplacement replacement = replacement(log);
      log.reconfigure(CONFIG.with("cleanup.policy", "compact,delete").with("retention.bytes", "1"));
      assertThat(log.deleteOldSegments()).isEqualTo(3);
      // When
      log.replaceSegments(replacement);
      // Then
      assertThat(read(log)).containsExactly("3:a=2");
      assertThat(disk.list(FOLDER)).noneMatch(name -> name.endsWith(".cleaned"));
    }
  }
}
