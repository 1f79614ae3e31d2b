package dev.rowlog.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits, what readers see of them, and what is refused. */
class LogEngineTest {
  private static final TopicPartition TABLE = TopicPartition.of("table0");

  @TempDir
  Path directory;

  private final Disk disk = new NioDisk();
  private final Workload workload = new Workload(1, 3, 6, 20);

  private Mirror open() {
    return Mirror.open(disk, directory, workload, Mirror.SMALL);
  }

  @Test
  void shouldPublishEndsAndPositionTogether() {
    try (Mirror mirror = open()) {
      // Given
      Map<TopicPartition, Long> ends = mirror.append(1);

      // When
      CommittedEnds committed = mirror.engine().commit(ends, "p1".getBytes(UTF_8));

      // Then
      assertThat(committed).isSameAs(mirror.engine().committed());
      assertThat(committed.ends()).isEqualTo(ends);
      assertThat(committed.position().orElseThrow()).isEqualTo("p1".getBytes(UTF_8));
      ends.forEach((log, end) -> assertThat(mirror.engine().log(log).orElseThrow().highWatermark()).isEqualTo(end));
    }
  }

  @Test
  void shouldMoveThePositionAlone_whenNoLogIsTouched() {
    // Given
    CommittedEnds before;
    try (Mirror mirror = open()) {
      mirror.commitNext();
      before = mirror.engine().committed();

      // When
      mirror.engine().commit(Map.of(), "77".getBytes(UTF_8));
    }

    // Then
    try (Mirror mirror = open()) {
      assertThat(mirror.committed()).isEqualTo(77);
      assertThat(mirror.engine().committed().ends()).isEqualTo(before.ends());
      assertThat(mirror.engine().committed().commitOffset()).isGreaterThan(before.commitOffset());
    }
  }

  @Test
  void shouldGoOnFromTheLastCommitAfterAReopen() {
    // Given
    CommittedEnds last;
    try (Mirror mirror = open()) {
      for (int i = 0; i < 20; i++) {
        mirror.commitNext();
      }
      last = mirror.engine().committed();
    }

    // When
    try (Mirror mirror = open()) {
      // Then
      assertThat(mirror.engine().committed().ends()).isEqualTo(last.ends());
      assertThat(mirror.engine().committed().commitOffset()).isEqualTo(last.commitOffset());
      assertThat(mirror.tables()).isEqualTo(workload.tables(20));
      assertThat(mirror.commitNext()).isEqualTo(21);
      assertThat(mirror.tables()).isEqualTo(workload.tables(21));
    }
  }

  @Test
  void shouldShowNothingOfAnUncommittedTransaction() {
    try (Mirror mirror = open()) {
      // Given
      mirror.commitNext();

      // When
      mirror.append(2);
      mirror.appendUncommitted(TABLE);

      // Then
      assertThat(mirror.tables()).isEqualTo(workload.tables(1));
    }
  }

  @Test
  void shouldCutWhatWasNotCommitted_whenOpenedAgain() {
    // Given
    CommittedEnds last;
    try (Mirror mirror = open()) {
      mirror.commitNext();
      last = mirror.engine().committed();
      for (int i = 0; i < 30; i++) {
        mirror.appendUncommitted(TABLE);
      }
    }

    // When
    try (Mirror mirror = open()) {
      // Then
      PartitionLog log = mirror.engine().log(TABLE).orElseThrow();
      assertThat(log.logEndOffset()).isEqualTo(last.end(TABLE));
      assertThat(mirror.tables()).isEqualTo(workload.tables(1));
    }
  }

  @Test
  void shouldCutALogThatNoCommitNamed_toItsStart() {
    // Given
    try (Mirror mirror = open()) {
      mirror.engine().createIfMissing(TopicPartition.of("new"), Mirror.SMALL);
      mirror.appendUncommitted(TopicPartition.of("new"));
    }

    // When
    try (Mirror mirror = open()) {
      // Then
      assertThat(mirror.engine().log(TopicPartition.of("new")).orElseThrow().logEndOffset()).isZero();
    }
  }

  @Test
  void shouldCutAnUnfinishedTransaction_whenTold() {
    try (Mirror mirror = open()) {
      // Given
      mirror.commitNext();
      for (int i = 0; i < 30; i++) {
        mirror.appendUncommitted(TABLE);
      }

      // When
      mirror.engine().truncateToCommitted();

      // Then
      assertThat(mirror.engine().log(TABLE).orElseThrow().logEndOffset())
          .isEqualTo(mirror.engine().committed().end(TABLE));
      assertThat(mirror.commitNext()).isEqualTo(2);
      assertThat(mirror.tables()).isEqualTo(workload.tables(2));
    }
  }

  @Test
  void shouldNotShowACursorWhatWasCutAndWrittenAnew() {
    try (Mirror mirror = open()) {
      // Given
      mirror.appendUncommitted(TABLE);
      try (LogCursor cursor = mirror.engine().cursor(TABLE, 0)) {
        assertThat(cursor.next()).isFalse();
        mirror.engine().truncateToCommitted();
        while (mirror.engine().committed().end(TABLE) == 0) {
          mirror.commitNext();
        }

        // When
        boolean hasMore = cursor.refresh();

        // Then
        assertThat(hasMore).isTrue();
        assertThat(Mirror.table(cursor)).isEqualTo(workload.tables(mirror.committed()).get(TABLE));
      }
    }
  }

  @Test
  void shouldCommitAnEndBelowTheLogEnd() {
    try (Mirror mirror = open()) {
      // Given
      Map<TopicPartition, Long> ends = mirror.append(1);
      mirror.append(2);

      // When
      mirror.engine().commit(ends, "1".getBytes(UTF_8));

      // Then
      assertThat(mirror.tables()).isEqualTo(workload.tables(1));
    }
  }

  @Test
  void shouldRefuseEndsThatAreNoBoundaryOrOutOfRange() {
    try (Mirror mirror = open()) {
      // Given
      Map<TopicPartition, Long> ends = null;
      for (long number = 1; ends == null || ends.getOrDefault(TABLE, 0L) < 3; number++) {
        ends = mirror.append(number);
      }
      mirror.engine().commit(ends, "1".getBytes(UTF_8));
      long end = ends.get(TABLE);
      mirror.append(1);
      long logEnd = mirror.engine().log(TABLE).orElseThrow().logEndOffset();
      CommittedEnds before = mirror.engine().committed();

      // When // Then
      for (long refused : new long[]{end - 1, logEnd + 1, -1}) {
        assertThatThrownBy(() -> mirror.engine().commit(Map.of(TABLE, refused), new byte[0]))
            .isInstanceOf(InvalidRecordException.class).hasMessageContaining("table0-0");
      }
      assertThatThrownBy(() -> mirror.engine().commit(Map.of(CommitLog.PARTITION, 1L), new byte[0]))
          .isInstanceOf(InvalidRecordException.class).hasMessageContaining("not governed");
      assertThatThrownBy(() -> mirror.engine().commit(Map.of(TopicPartition.of("none"), 1L), new byte[0]))
          .isInstanceOf(UnknownTopicException.class);
      assertThat(mirror.engine().committed()).isSameAs(before);
    }
  }

  @Test
  void shouldRefuseACommitInsideABatch() {
    try (Mirror mirror = open()) {
      // Given
      long number = 1;
      while (workload.transaction(number).stream().filter(write -> write.log().equals(TABLE)).count() < 2) {
        number++;
      }
      long end = mirror.append(number).get(TABLE);

      // When // Then
      assertThatThrownBy(() -> mirror.engine().commit(Map.of(TABLE, end - 1), new byte[0]))
          .isInstanceOf(InvalidRecordException.class).hasMessageContaining("cut a batch in two");
      mirror.engine().commit(Map.of(TABLE, end), new byte[0]);
    }
  }

  @Test
  void shouldWakeThoseWhoWaitForACommit() throws Exception {
    try (Mirror mirror = open()) {
      // Given
      CompletableFuture<Optional<CommittedEnds>> waiter = CompletableFuture.supplyAsync(() -> {
        try {
          return mirror.engine().awaitCommitted(ends -> Mirror.number(ends) >= 3, Duration.ofMinutes(1));
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });

      // When
      for (int i = 0; i < 3; i++) {
        mirror.commitNext();
      }

      // Then
      assertThat(Mirror.number(waiter.get(1, TimeUnit.MINUTES).orElseThrow())).isEqualTo(3);
    }
  }

  @Test
  void shouldGiveUpWaitingAfterTheTimeout() throws Exception {
    try (Mirror mirror = open()) {
      // When
      Optional<CommittedEnds> none = mirror.engine().awaitCommitted(ends -> false, Duration.ofMillis(20));

      // Then
      assertThat(none).isEmpty();
    }
  }

  @Test
  void shouldLetWaitersGo_whenClosed() throws Exception {
    // Given
    Mirror mirror = open();
    CompletableFuture<Optional<CommittedEnds>> waiter = CompletableFuture.supplyAsync(() -> {
      try {
        return mirror.engine().awaitCommitted(ends -> false, Duration.ofMinutes(10));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });

    // When
    mirror.close();

    // Then
    assertThat(waiter.get(1, TimeUnit.MINUTES)).isEmpty();
  }

  @Test
  void shouldPublishNothingAndTakeNoFurtherCommit_afterAnyFailedSync() {
    for (int sync = 1; sync <= 3; sync++) {
      // Given
      SimulatedDisk simulated = new SimulatedDisk();
      Workload three = new Workload(3, 3, 6, 20);
      long number = 1;
      try (Mirror mirror = Mirror.open(simulated, Mirror.ROOT, three, LogConfig.defaults())) {
        number = mirror.commitNext() + 1;
        while (three.transaction(number).stream().map(Workload.Write::log).distinct().count() < 3) {
          number = mirror.commitNext() + 1;
        }
        CommittedEnds before = mirror.engine().committed();
        Map<TopicPartition, Long> ends = mirror.append(number);
        byte[] position = Long.toString(number).getBytes(UTF_8);
        simulated.failSync(sync);

        // When
        assertThatThrownBy(() -> mirror.engine().commit(ends, position)).isInstanceOf(LogException.class);

        // Then
        assertThat(mirror.engine().committed()).isSameAs(before);
        assertThat(mirror.tables()).isEqualTo(three.tables(number - 1));
        assertThatThrownBy(() -> mirror.engine().commit(Map.of(), position)).isInstanceOf(LogClosedException.class)
            .hasMessageContaining("open it again");
      }
      try (Mirror again = Mirror.open(simulated, Mirror.ROOT, three, LogConfig.defaults())) {
        assertThat(again.committed()).as("failed sync %s", sync).isEqualTo(number - 1);
        assertThat(again.commitNext()).isEqualTo(number);
        assertThat(again.tables()).isEqualTo(three.tables(number));
      }
    }
  }

  @Test
  void shouldRefuseToDeleteByAge_inAMirror() {
    try (Mirror mirror = open()) {
      // When // Then
      assertThatThrownBy(
          () -> mirror.engine().createIfMissing(TopicPartition.of("t"),
              Mirror.SMALL.with("cleanup.policy", "compact,delete")))
          .isInstanceOf(InvalidConfigException.class).hasMessageContaining("compact only");
    }
  }

  @Test
  void shouldTakeTheNewConfiguration_whenTheLogIsThere() {
    // Given
    try (Mirror mirror = open()) {
      // When
      PartitionLog log = mirror.engine().createIfMissing(TABLE, Mirror.SMALL.with("segment.bytes", "500"));

      // Then
      assertThat(log.config().segmentBytes()).isEqualTo(500);
    }
  }

  @Test
  void shouldRefuseACursorBeyondTheHighWatermark() {
    try (Mirror mirror = open()) {
      // Given
      mirror.appendUncommitted(TABLE);

      // When // Then
      assertThatThrownBy(() -> mirror.engine().cursor(TABLE, 1)).isInstanceOf(OffsetOutOfRangeException.class);
    }
  }
}
