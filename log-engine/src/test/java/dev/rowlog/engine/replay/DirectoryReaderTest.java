package dev.rowlog.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.Mirror;
import dev.rowlog.engine.Workload;
import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommitRetention;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.HookedDisk;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.BatchHeader;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.record.RecordBatchLayout;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryReaderTest {
  private static final TopicPartition TABLE = TopicPartition.of("table0");
  private static final int READS = 1_000;
  private static final int READS_WHILE_COMMITS_GO = 150;
  private static final int READS_OF_ANOTHER_PROCESS = 100;

  private static final LogConfig TABLES = Mirror.SMALL.with("segment.bytes", "1000");

  /** Commits are kept for a day: in small segments thousands of files would be opened by each read. */
  private static final LogConfig COMMITS = Mirror.SMALL.with("segment.bytes", "20000");

  @TempDir
  Path directory;

  private final Disk disk = new NioDisk();
  private final Workload workload = new Workload(5, 3, 8, 30);

  @Test
  void shouldSeeExactlyTheStateOfSomeCommit_whileAWriterCommitsAndACleanerRuns() throws Exception {
    try (Mirror mirror = Mirror.open(disk, directory, workload, TABLES, COMMITS, true)) {
      readBeside(mirror, READS);
    }
  }

  @Test
  void shouldSeeExactlyTheStateOfSomeCommit_whileTheCommitLogIsCleanedToo() throws Exception {
    LogConfig commits = Mirror.SMALL.with("segment.bytes", "1000");
    CommitRetention none = new CommitRetention(Duration.ZERO, 1);
    try (Mirror mirror = Mirror.open(disk, directory, workload, TABLES, commits, true, none)) {
      readBeside(mirror, READS_WHILE_COMMITS_GO);
      assertThat(mirror.engine().log(CommitLog.PARTITION).orElseThrow().sizeBytes()).as("of which most is gone")
          .isLessThan(50_000);
    }
    // And an opening makes of what is left the same.
    try (Mirror mirror = Mirror.open(disk, directory, workload, TABLES, commits, true, none)) {
      assertThat(mirror.tables()).isEqualTo(workload.tables(mirror.committed()));
    }
  }

  private void readBeside(Mirror mirror, int reads) throws Exception {
    // Given
    Background background = Background.start(mirror);

    // When
    long last = 0;
    long distinct = 0;
    Models models = new Models(workload);
    for (int i = 0; i < reads; i++) {
      try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
        long number = Mirror.number(reader.committed().orElseThrow());
        assertThat(number).as("commits do not go back").isGreaterThanOrEqualTo(last);
        assertThat(Mirror.tables(workload, log -> reader.cursor(log, 0))).as("read %s at commit %s", i, number)
            .isEqualTo(models.at(number));
        distinct += number > last ? 1 : 0;
        last = number;
      }
      background.letGoOn();
    }

    // Then
    assertThat(background.end()).as("cleanings meanwhile").isGreaterThan(reads / 100);
    assertThat(distinct).as("different commits seen").isGreaterThan(reads / 100);
  }

  @Test
  void shouldSeeExactlyTheStateOfSomeCommit_fromAnotherProcess() throws Exception {
    try (Mirror mirror = Mirror.open(disk, directory, workload, TABLES, COMMITS, true)) {
      // Given
      Background background = Background.start(mirror);

      // When
      Process other = new ProcessBuilder(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-ea", "-cp",
          System.getProperty("java.class.path"), OtherProcess.class.getName(), directory.toString())
          .redirectErrorStream(true)
          .start();
      List<String> output = new ArrayList<>();
      try (BufferedReader lines = new BufferedReader(
          new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
        lines.lines().forEach(line -> {
          output.add(line);
          background.letGoOn();
        });
      }

      // Then
      assertThat(other.waitFor()).as("exit code after %s", output).isZero();
      assertThat(background.end()).as("cleanings meanwhile").isPositive();
      assertThat(output).hasSize(READS_OF_ANOTHER_PROCESS).allMatch(line -> line.matches("exact at commit \\d+"));
    }
  }

  /** The other process: reads and compares by the same seed, a line a read. */
  static final class OtherProcess {
    private OtherProcess() {}

    public static void main(String[] args) {
      Workload workload = new Workload(5, 3, 8, 30);
      Models models = new Models(workload);
      for (int i = 0; i < READS_OF_ANOTHER_PROCESS; i++) {
        try (DirectoryReader reader = DirectoryReader.open(new NioDisk(), Path.of(args[0]))) {
          long number = Mirror.number(reader.committed().orElseThrow());
          Map<TopicPartition, Map<String, String>> tables = Mirror.tables(workload, log -> reader.cursor(log, 0));
          if (!tables.equals(models.at(number))) {
            System.out
                .println("read " + i + " at commit " + number + ": " + tables + " instead of " + models.at(number));
            System.exit(1);
          }
          System.out.println("exact at commit " + number);
        }
      }
    }
  }

  /** The tables after each commit, for rising numbers. */
  private static final class Models {
    private final Workload workload;
    private final Map<TopicPartition, Map<String, String>> tables;
    private long number;

    private Models(Workload workload) {
      this.workload = workload;
      this.tables = workload.tables(0);
    }

    private Map<TopicPartition, Map<String, String>> at(long wanted) {
      while (number < wanted) {
        workload.apply(tables, ++number);
      }
      return tables;
    }
  }

  /**
   * One thread that commits, another that cleans, until told to end. Each has so many turns a {@link #letGoOn}, so that the logs stay as
   * small as the readers are fast.
   */
  private static final class Background {
    private static final int COMMITS_A_TURN = 2;
    private static final int TURNS_A_CLEANING = 4;

    private final Mirror mirror;
    private long turns;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final Semaphore commitTurns = new Semaphore(COMMITS_A_TURN);
    private final Semaphore cleanTurns = new Semaphore(1);
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final Future<Long> writer;
    private final Future<Long> cleaner;

    private Background(Mirror mirror) {
      this.mirror = mirror;
      this.writer = threads.submit(() -> repeat(commitTurns, this::commit));
      this.cleaner = threads.submit(() -> repeat(cleanTurns, this::clean));
    }

    static Background start(Mirror mirror) {
      for (int i = 0; i < 10; i++) {
        mirror.commitNext();
      }
      return new Background(mirror);
    }

    private long repeat(Semaphore turns, Runnable work) throws InterruptedException {
      for (long count = 0;; count++) {
        turns.acquire();
        if (isEnding.get()) {
          return count;
        }
        work.run();
      }
    }

    private void commit() {
      long number = mirror.commitNext();
      if (number % 10 == 0) {
        mirror.append(number + 1);
        mirror.engine().truncateToCommitted();
      }
    }

    private void clean() {
      for (TopicPartition log : mirror.engine().partitions()) {
        mirror.engine().cleaner().clean(mirror.engine().log(log).orElseThrow());
        mirror.engine().log(log).orElseThrow().deleteExpiredFiles();
      }
    }

    void letGoOn() {
      commitTurns.release(COMMITS_A_TURN);
      if (++turns % TURNS_A_CLEANING == 0) {
        cleanTurns.release();
      }
    }

    /** Returns how often it cleaned. */
    long end() throws Exception {
      isEnding.set(true);
      commitTurns.release();
      cleanTurns.release();
      threads.shutdown();
      writer.get();
      return cleaner.get();
    }
  }

  @Test
  void shouldChangeNothing() throws Exception {
    // Given
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      for (int i = 0; i < 20; i++) {
        mirror.commitNext();
      }
    }
    Map<String, FileTime> before = modificationTimes();

    // When
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      Mirror.tables(workload, log -> reader.cursor(log, 0));
      reader.storedConfig(TABLE);
    }

    // Then
    assertThat(modificationTimes()).isEqualTo(before);
  }

  private Map<String, FileTime> modificationTimes() throws Exception {
    Map<String, FileTime> times = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        times.put(directory.relativize(file).toString(), Files.getLastModifiedTime(file));
      }
    }
    return times;
  }

  @Test
  void shouldNeedNoIndexFile() throws Exception {
    // Given
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      for (int i = 0; i < 20; i++) {
        mirror.commitNext();
      }
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path index : files.filter(file -> file.toString().endsWith("index")).toList()) {
        Files.delete(index);
      }
    }

    // When
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      // Then
      assertThat(Mirror.tables(workload, log -> reader.cursor(log, 0))).isEqualTo(workload.tables(20));
    }
  }

  @Test
  void shouldFollowTheWriter_throughRollsAndCleanings() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      mirror.commitNext();
      try (DirectoryReader reader = DirectoryReader.open(disk, directory); LogCursor cursor = reader.cursor(TABLE, 0)) {
        // Given
        Map<String, String> table = new TreeMap<>();
        long seen = -1;

        // When
        for (int round = 0; round < 40; round++) {
          while (cursor.next()) {
            assertThat(cursor.current().offset()).as("no offset twice").isGreaterThan(seen);
            seen = cursor.current().offset();
            String key = new String(cursor.record().key(), StandardCharsets.UTF_8);
            if (cursor.record().isTombstone()) {
              table.remove(key);
            } else {
              table.put(key, new String(cursor.record().value(), StandardCharsets.UTF_8));
            }
          }
          // Then
          assertThat(table).isEqualTo(workload.tables(mirror.committed()).get(TABLE));
          mirror.commitNext();
          mirror.append(mirror.committed() + 1);
          mirror.engine().truncateToCommitted();
          if (round % 5 == 4) {
            mirror.engine().cleaner().clean(mirror.engine().log(TABLE).orElseThrow());
          }
          cursor.refresh();
        }
      }
    }
  }

  @Test
  void shouldFollowTheCommits_whereAFileHasTheIdentityOfOneThatIsGone() {
    // Given: a file system that gives the same inode again at once
    HookedDisk oneInode = HookedDisk.withOneIdentity(disk);
    CommitRetention none = new CommitRetention(Duration.ZERO, 1);
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL, Mirror.SMALL, true, none)) {
      mirror.commitNext();
      PartitionLog commits = mirror.engine().log(CommitLog.PARTITION).orElseThrow();
      try (DirectoryReader reader = DirectoryReader.open(oneInode, directory);
          LogCursor cursor = reader.cursor(CommitLog.PARTITION, 0)) {
        for (int round = 0; round < 60; round++) {
          // When
          for (int i = 0; i <= round % 4; i++) {
            mirror.commitNext();
          }
          if (round % 3 == 0) {
            mirror.engine().cleaner().clean(commits);
          }
          cursor.refresh();

          // Then
          assertThat(cursor.endOffset()).isEqualTo(commits.highWatermark());
          while (cursor.next()) {
            // To the end.
          }
        }
      }
    }
  }

  @Test
  void shouldKeepItsCommit_whileTheWriterGoesOn() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      for (int i = 0; i < 10; i++) {
        mirror.commitNext();
      }
      try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
        // Given
        for (int i = 0; i < 30; i++) {
          mirror.commitNext();
        }
        workload.logs().forEach(log -> mirror.engine().cleaner().clean(mirror.engine().log(log).orElseThrow()));

        // When // Then
        assertThat(Mirror.tables(workload, log -> reader.cursor(log, 0))).isEqualTo(workload.tables(10));
      }
    }
  }

  @Test
  void shouldNotSeeALogThatIsCreatedLater_untilOpenedAgain() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL);
        DirectoryReader before = DirectoryReader.open(disk, directory)) {
      // When
      mirror.engine().createIfMissing(TopicPartition.of("later"), Mirror.SMALL);

      // Then
      assertThatThrownBy(() -> before.cursor(TopicPartition.of("later"), 0)).isInstanceOf(UnknownTopicException.class);
      try (DirectoryReader after = DirectoryReader.open(disk, directory)) {
        assertThat(after.partitions()).contains(TopicPartition.of("later"));
        assertThat(after.cursor(TopicPartition.of("later"), 0).next()).isFalse();
      }
    }
  }

  @Test
  void shouldReadTheCommitsThemselves() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      // Given
      for (int i = 0; i < 3; i++) {
        mirror.commitNext();
      }

      // When
      try (DirectoryReader reader = DirectoryReader.open(disk, directory);
          LogCursor cursor = reader.cursor(CommitLog.PARTITION, 0)) {
        // Then
        assertThat(Mirror.table(cursor)).containsEntry("position", "3")
            .hasSize(1 + reader.committed().orElseThrow().ends().size());
      }
    }
  }

  @Test
  void shouldEndAtTheLastValidBatch_withoutACommitLog() throws Exception {
    // Given
    try (Mirror plain = Mirror.open(disk, directory, workload, Mirror.SMALL, false)) {
      for (int number = 1; number <= 20; number++) {
        plain.append(number);
      }
    }
    Path folder = directory.resolve(TABLE.directoryName());
    Path last = disk.list(folder).stream().filter(name -> name.endsWith(".log")).reduce((a, b) -> b)
        .map(folder::resolve)
        .orElseThrow();
    Files.write(last, new byte[]{0, 0, 0, 0, 0, 0, 9, 9, 0, 0, 1, 0, 3}, java.nio.file.StandardOpenOption.APPEND);

    // When
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      // Then
      assertThat(reader.committed()).isEmpty();
      assertThat(Mirror.tables(workload, log -> reader.cursor(log, 0))).isEqualTo(workload.tables(20));
    }
  }

  @Test
  void shouldRefuseAFolderThatIsMissing_andAnOffsetBeyondTheEnd() {
    // Given
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      mirror.commitNext();
    }

    // When // Then
    assertThatThrownBy(() -> DirectoryReader.open(disk, directory.resolve("none")))
        .isInstanceOf(UnknownTopicException.class);
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      assertThatThrownBy(() -> reader.cursor(TABLE, 1_000)).isInstanceOf(OffsetOutOfRangeException.class);
      assertThat(reader.partitions()).containsAll(List.of(TABLE, CommitLog.PARTITION));
    }
  }

  @Test
  void shouldSayThatItIsClosed() {
    // Given
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      mirror.commitNext();
    }
    DirectoryReader reader = DirectoryReader.open(disk, directory);
    LogCursor earlier = reader.cursor(CommitLog.PARTITION, 0);

    // When
    reader.close();

    // Then
    assertThatThrownBy(() -> reader.cursor(CommitLog.PARTITION, 0)).isInstanceOf(LogClosedException.class);
    assertThat(earlier.next()).as("a cursor is closed apart").isTrue();
    earlier.close();
  }

  @Test
  void shouldSayWhereABatchLiesThatDoesNotDecode_thoughItsCrcHolds() throws Exception {
    // Given: a record that claims more bytes than there are
    RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.NONE);
    encoder.add(0, new byte[]{1}, new byte[]{2}, List.of());
    ByteBuffer batch = encoder.finish(0, 0);
    batch.put(RecordBatchLayout.RECORDS, (byte) 0x7e);
    BatchHeader.of(new RecordBatch().wrap(batch, 0)).writeTo(batch, 0, batch.limit());
    byte[] bytes = new byte[batch.limit()];
    batch.get(bytes);
    Path folder = Files.createDirectories(directory.resolve(TABLE.directoryName()));
    Files.write(folder.resolve("00000000000000000000.log"), bytes);

    // When // Then
    try (DirectoryReader reader = DirectoryReader.open(disk, directory); LogCursor cursor = reader.cursor(TABLE, 0)) {
      assertThatThrownBy(cursor::next).isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("00000000000000000000.log at position 0");
    }
  }
}
