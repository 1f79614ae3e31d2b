package dev.rowlog.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.DirectoryInUseException;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.LogConfig;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogEngineTest {
  private static final TopicPartition TABLE = TopicPartition.of("table0");
  private static final TopicPartition OTHER = TopicPartition.of("table1");

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
  void shouldReportCorruptionBelowTheCommit_andGoOnWithTheOthers() {
    // Given
    long number;
    try (Mirror mirror = open()) {
      do {
        number = mirror.commitNext();
      } while (mirror.engine().committed().end(TABLE) < 3);
    }
    flip(firstLogFile(TABLE), 70);

    // When
    removeCleanShutdownMarker();
    try (Mirror mirror = open()) {
      // Then
      assertThat(mirror.engine().failedLogs()).containsOnlyKeys(TABLE);
      assertThat(mirror.engine().failedLogs().get(TABLE)).isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("table0-0");
      assertThatThrownBy(() -> mirror.engine().createIfMissing(TABLE, Mirror.SMALL))
          .isInstanceOf(CorruptLogException.class);
      assertThatThrownBy(() -> mirror.engine().cursor(TABLE, 0)).isInstanceOf(CorruptLogException.class);
      assertThat(Mirror.table(mirror.engine().cursor(OTHER, 0))).isEqualTo(workload.tables(number).get(OTHER));
    }
  }

  @Test
  void shouldReportALogThatIsTooShort() {
    // Given
    try (Mirror mirror = open()) {
      do {
        mirror.commitNext();
      } while (mirror.engine().committed().end(TABLE) == 0);
    }
    try (DiskFile file = disk.openForWrite(firstLogFile(TABLE))) {
      file.truncate(file.size() - 1);
    }
    removeCleanShutdownMarker();

    // When
    try (Mirror mirror = open()) {
      // Then
      assertThat(mirror.engine().failedLogs()).containsOnlyKeys(TABLE);
    }
  }

  @Test
  void shouldReportALogWhoseFolderIsMissing() throws Exception {
    // Given
    try (Mirror mirror = open()) {
      do {
        mirror.commitNext();
      } while (mirror.engine().committed().end(TABLE) == 0);
    }
    Files.move(directory.resolve("table0-0"), directory.resolve("elsewhere"));

    // When
    try (Mirror mirror = open()) {
      // Then
      assertThat(mirror.engine().failedLogs()).containsOnlyKeys(TABLE);
      assertThat(mirror.engine().failedLogs().get(TABLE)).hasMessageContaining("missing");
    }
  }

  @Test
  void shouldReportAFolderWithAnotherTopicId() throws Exception {
    // Given
    try (Mirror mirror = open()) {
      do {
        mirror.commitNext();
      } while (mirror.engine().committed().end(TABLE) == 0);
    }
    Files.writeString(
        directory.resolve("table0-0").resolve("partition.metadata"), "version: 0\ntopic_id: q83vASNFZ4mrze8BI0VniQ");

    // When
    try (Mirror mirror = open()) {
      // Then
      assertThat(mirror.engine().failedLogs()).containsOnlyKeys(TABLE);
      assertThat(mirror.engine().failedLogs().get(TABLE)).hasMessageContaining("q83vASNFZ4mrze8BI0VniQ");
    }
  }

  @Test
  void shouldCutCorruptionBeyondTheCommit() {
    // Given
    long number;
    try (Mirror mirror = open()) {
      do {
        number = mirror.commitNext();
      } while (mirror.engine().committed().end(TABLE) == 0);
    }
    try (DiskFile file = disk.openForWrite(lastLogFile(TABLE))) {
      file.write(ByteBuffer.wrap(new byte[]{1, 2, 3, 4, 5}), file.size());
    }
    removeCleanShutdownMarker();

    // When
    try (Mirror mirror = open()) {
      // Then
      assertThat(mirror.engine().failedLogs()).isEmpty();
      assertThat(mirror.tables()).isEqualTo(workload.tables(number));
    }
  }

  @Test
  void shouldRefuseADamagedCommitWithWholeOnesBehindIt() {
    // Given
    try (Mirror mirror = Mirror.open(disk, directory, workload, LogConfig.defaults())) {
      for (int i = 0; i < 5; i++) {
        mirror.commitNext();
      }
    }
    flip(firstLogFile(CommitLog.PARTITION), 70);
    removeCleanShutdownMarker();

    // When // Then
    assertThatThrownBy(this::open).isInstanceOf(CorruptLogException.class).hasMessageContaining("whole commits follow");
  }

  @Test
  void shouldForgetATornCommit() {
    // Given
    try (Mirror mirror = Mirror.open(disk, directory, workload, LogConfig.defaults())) {
      for (int i = 0; i < 5; i++) {
        mirror.commitNext();
      }
    }
    try (DiskFile file = disk.openForWrite(firstLogFile(CommitLog.PARTITION))) {
      file.truncate(file.size() - 3);
    }
    removeCleanShutdownMarker();

    // When
    try (Mirror mirror = open()) {
      // Then
      assertThat(mirror.committed()).isEqualTo(4);
      assertThat(mirror.tables()).isEqualTo(workload.tables(4));
    }
  }

  @Test
  void shouldRefuseADirectoryInUse() {
    try (Mirror mirror = open()) {
      // When // Then
      assertThatThrownBy(this::open).isInstanceOf(DirectoryInUseException.class);
      assertThat(mirror.commitNext()).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseANewerFormatVersion() throws Exception {
    // Given
    open().close();
    Path meta = directory.resolve("meta.properties");
    Files.writeString(meta, Files.readString(meta).replaceAll("(?m)^(rowlog.*version)=.*$", "$1=99"));

    // When // Then
    assertThatThrownBy(this::open).isInstanceOf(UnsupportedFormatException.class).hasMessageContaining("99");
  }

  @Test
  void shouldRefuseAMirrorOverLogsWithoutCommits() {
    // Given
    try (Mirror plain = Mirror.open(disk, directory, workload, Mirror.SMALL, false)) {
      plain.append(1);
    }

    // When // Then
    assertThatThrownBy(this::open).isInstanceOf(UnsupportedFormatException.class).hasMessageContaining("no commit log");
    try (Mirror plain = Mirror.open(disk, directory, workload, Mirror.SMALL, false)) {
      assertThat(plain.tables()).isEqualTo(workload.tables(1));
    }
  }

  @Test
  void shouldBeGovernedByACommitLogThatIsThere_whenNotAskedForOne() {
    // Given
    try (Mirror mirror = open()) {
      mirror.commitNext();
      mirror.append(2);
    }

    // When
    try (Mirror plain = Mirror.open(disk, directory, workload, Mirror.SMALL, false)) {
      // Then
      assertThat(plain.tables()).isEqualTo(workload.tables(1));
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

  private Path firstLogFile(TopicPartition log) {
    return logFile(log, false);
  }

  private Path lastLogFile(TopicPartition log) {
    return logFile(log, true);
  }

  private Path logFile(TopicPartition log, boolean last) {
    Path folder = directory.resolve(log.directoryName());
    return disk.list(folder).stream().filter(name -> name.endsWith(".log")).reduce((a, b) -> last ? b : a)
        .map(folder::resolve).orElseThrow();
  }

  private void flip(Path path, long position) {
    try (DiskFile file = disk.openForWrite(path)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, position);
      one.put(0, (byte) ~one.get(0)).flip();
      file.write(one, position);
    }
  }

  private void removeCleanShutdownMarker() {
    disk.delete(directory.resolve(".kafka_cleanshutdown"));
  }
}
