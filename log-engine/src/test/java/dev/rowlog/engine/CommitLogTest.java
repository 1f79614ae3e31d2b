package dev.rowlog.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommitRetention;
import dev.rowlog.engine.commit.CommitState;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The commit log under hands other than the writer's: rolled, cleaned, read and damaged. */
class CommitLogTest {
  private static final int SEGMENTS = 40;

  private final SimulatedDisk disk = new SimulatedDisk();
  private final Workload workload = new Workload(4, 3, 6, 20);

  private Mirror open(LogConfig commits, CommitRetention retention) {
    return Mirror.open(disk, Mirror.ROOT, workload, LogConfig.defaults(), commits, true, retention);
  }

  private static PartitionLog commits(Mirror mirror) {
    return mirror.engine().log(CommitLog.PARTITION).orElseThrow();
  }

  @Test
  void shouldNameEveryLogInTheFirstCommitOfEachSegment_whoeverRollsTheCommitLog() throws Exception {
    try (Mirror mirror = open(LogConfig.defaults(), CommitLog.RETENTION)) {
      // Given
      mirror.commitNext();
      PartitionLog commits = commits(mirror);

      // When
      meanwhile(commits::roll, () -> {
        while (commits.segments().all().size() < SEGMENTS) {
          commit(mirror, 20);
        }
      });

      // Then
      List<Segment> segments = commits.segments().all();
      for (Segment segment : segments) {
        if (segment.sizeBytes() > 0) {
          BatchScanner batches = new BatchScanner(segment.logFile(), 0, segment.sizeBytes(), 4096);
          assertThat(batches.next()).isTrue();
          assertThat(CommitState.isComplete(batches.batch(), segment.logPath())).as(segment.toString()).isTrue();
        }
      }
    }
  }

  /** Commits that touch no log. */
  private static void commit(Mirror mirror, int count) {
    for (int i = 0; i < count; i++) {
      mirror.engine().commit(Map.of(), Integer.toString(i).getBytes(UTF_8));
    }
  }

  /** Repeats one thing in another thread while this one does another. */
  private static void meanwhile(Runnable repeated, Runnable work) throws Exception {
    AtomicBoolean isDone = new AtomicBoolean();
    CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
      while (!isDone.get()) {
        repeated.run();
      }
    });
    try {
      work.run();
    } finally {
      isDone.set(true);
    }
    other.get(1, TimeUnit.MINUTES);
  }

  @Test
  void shouldKeepCommitsWhole_forTheTimeOrTheBytesWhicheverIsLess() {
    // Given: segments of 300 bytes, all of the last hour
    CommitRetention retention = new CommitRetention(Duration.ofHours(24), 2_000);
    try (Mirror mirror = open(Mirror.SMALL, retention)) {
      for (int i = 0; i < 60; i++) {
        mirror.commitNext();
      }
      PartitionLog commits = commits(mirror);
      long before = commits.sizeBytes();
      assertThat(before).isGreaterThan(6_000);

      // When
      long cleanedTo = mirror.engine().cleaner().clean(commits).endOffset();

      // Then: the bytes bound what is kept, and no more than a segment less is kept
      List<Segment> whole = commits.segments().all().stream().filter(segment -> segment.baseOffset() >= cleanedTo)
          .toList();
      assertThat(whole.stream().mapToLong(Segment::sizeBytes).sum()).isBetween(1_200L, 2_000L);
      assertThat(commits.sizeBytes()).isLessThan(before);

      // When: a day later
      mirror.advance(Duration.ofHours(24).toMillis() + 1);

      // Then: the time bounds it
      assertThat(mirror.engine().cleaner().clean(commits).endOffset())
          .isEqualTo(commits.segments().active().baseOffset());
    }
    try (Mirror again = open(Mirror.SMALL, retention)) {
      assertThat(again.committed()).isEqualTo(60);
      assertThat(again.tables()).isEqualTo(workload.tables(60));
    }
  }

  @Test
  void shouldKeepADayOrAGibibyteOfCommits() {
    assertThat(CommitLog.RETENTION).isEqualTo(new CommitRetention(Duration.ofHours(24), 1L << 30));
    assertThat(CommitLog.RETENTION.lagBytes(CommitLog.PARTITION)).isEqualTo(1L << 30);
    assertThat(CommitLog.RETENTION.lagBytes(workload.logs().get(0))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldRefuseDamageInAnySegmentThatWholeCommitsFollow() {
    // Given
    try (Mirror mirror = open(Mirror.SMALL, CommitLog.RETENTION)) {
      for (int i = 0; i < 30; i++) {
        mirror.commitNext();
      }
    }
    Path folder = Mirror.ROOT.resolve(CommitLog.PARTITION.directoryName());
    List<String> files = disk.list(folder).stream().filter(name -> name.endsWith(".log")).toList();
    assertThat(files).hasSizeGreaterThan(5);
    disk.delete(Mirror.ROOT.resolve(".kafka_cleanshutdown"));
    disk.delete(Mirror.ROOT.resolve("recovery-point-offset-checkpoint"));
    flip(folder.resolve(files.get(2)));
    List<String> before = disk.list(folder);

    // When // Then
    assertThatThrownBy(() -> open(Mirror.SMALL, CommitLog.RETENTION)).isInstanceOf(CorruptLogException.class)
        .hasMessageContaining(files.get(2)).hasMessageContaining("whole ones follow");
    assertThat(disk.list(folder)).isEqualTo(before);
  }

  private void flip(Path path) {
    try (DiskFile file = disk.openForWrite(path)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, 70);
      one.put(0, (byte) ~one.get(0)).flip();
      file.write(one, 70);
    }
  }

  @Test
  void shouldNotBeMadeNorConfiguredByHand() {
    try (Mirror mirror = open(Mirror.SMALL, CommitLog.RETENTION)) {
      assertThatThrownBy(() -> mirror.engine().createIfMissing(CommitLog.PARTITION, Mirror.SMALL))
          .isInstanceOf(InvalidConfigException.class);
    }
  }
}
