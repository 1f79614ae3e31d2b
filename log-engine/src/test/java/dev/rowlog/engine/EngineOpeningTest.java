package dev.rowlog.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.DirectoryInUseException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.replay.DirectoryReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an opening makes of damage, and which directories it refuses. */
class EngineOpeningTest {
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
  void shouldReportALogWhoseFirstFileIsMissing_alsoToAReaderBeside() throws Exception {
    // Given
    try (Mirror mirror = open()) {
      do {
        mirror.commitNext();
      } while (mirror.engine().log(TABLE).orElseThrow().segments().all().size() < 3);
    }
    Files.delete(firstLogFile(TABLE));

    // When
    try (Mirror mirror = open(); DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      // Then
      assertThat(mirror.engine().failedLogs()).containsOnlyKeys(TABLE);
      assertThat(mirror.engine().failedLogs().get(TABLE)).hasMessageContaining("those before it are missing");
      assertThatThrownBy(() -> reader.cursor(TABLE, 0)).isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("those before it are missing");
    }
  }

  @Test
  void shouldReportALogWhoseOnlyFileIsMissing_andPutNoEmptyOneInItsPlace() throws Exception {
    // Given
    try (Mirror mirror = open()) {
      do {
        mirror.commitNext();
      } while (mirror.engine().committed().end(TABLE) == 0);
    }
    Path file = firstLogFile(TABLE);
    Files.delete(file);

    // When
    try (Mirror mirror = open(); DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      // Then
      assertThat(mirror.engine().failedLogs()).containsOnlyKeys(TABLE);
      assertThat(mirror.engine().failedLogs().get(TABLE)).hasMessageContaining("its files are missing");
      assertThatThrownBy(() -> reader.cursor(TABLE, 0)).isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("its files are missing");
    }
    assertThat(file).doesNotExist();
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
  void shouldReportALogWhoseConfigurationCannotBeRead_andGoOnWithTheOthers() throws Exception {
    // Given
    long number;
    try (Mirror mirror = open()) {
      number = mirror.commitNext();
    }
    Path config = directory.resolve("table0-0").resolve("topic.properties");
    for (String bad : List.of("no key and no value", "key.of.a.newer.version=1", "segment.bytes=many")) {
      Files.writeString(config, bad);

      // When
      try (Mirror mirror = open()) {
        // Then
        assertThat(mirror.engine().failedLogs()).as(bad).containsOnlyKeys(TABLE);
        assertThat(Mirror.table(mirror.engine().cursor(OTHER, 0))).isEqualTo(workload.tables(number).get(OTHER));
      }
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
    assertThatThrownBy(this::open).isInstanceOf(CorruptLogException.class).hasMessageContaining("whole ones follow");
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
