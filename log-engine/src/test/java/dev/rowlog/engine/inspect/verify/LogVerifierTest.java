package dev.rowlog.engine.inspect.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.Mirror;
import dev.rowlog.engine.Workload;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.inspect.verify.LogVerifier.Option;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.directory.OffsetCheckpoint;
import dev.rowlog.engine.replay.DirectoryReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogVerifierTest {
  private static final TopicPartition TABLE = TopicPartition.of("table0");

  @TempDir
  Path directory;

  private final Disk disk = new NioDisk();
  private final Workload workload = new Workload(21, 2, 5, 30);

  @BeforeEach
  void writeAndClean() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      for (int i = 0; i < 40; i++) {
        mirror.commitNext();
      }
      mirror.engine().cleaner().clean(mirror.engine().log(TABLE).orElseThrow());
      for (int i = 0; i < 10; i++) {
        mirror.commitNext();
      }
      mirror.appendUncommitted(TABLE);
    }
  }

  private VerificationReport verify(Option... options) {
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      return LogVerifier.verify(reader, TABLE, options);
    }
  }

  @Test
  void shouldFindNothing_whereAllIsSound() {
    // When
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      // Then
      assertThat(LogVerifier.verifyAll(reader, Option.CLOSED)).hasSize(3)
          .allSatisfy(report -> assertThat(report.findings()).isEmpty());
      assertThat(LogVerifier.verify(reader, TABLE, Option.JUST_CLEANED).findings()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 8, 20, 40, 70})
  void shouldFindAChangedByte(long position) {
    // Given
    Path file = firstLog();
    flip(file, position);

    // When
    VerificationReport report = verify();

    // Then
    assertThat(report.findings()).isNotEmpty().anySatisfy(finding -> assertThat(finding.file()).isEqualTo(file));
  }

  @Test
  void shouldFindALogThatIsShortOfItsCommit() {
    // Given
    Path last = lastCommitted();
    try (DiskFile file = disk.openForWrite(last)) {
      file.truncate(0);
    }

    // When // Then
    assertThat(verify().findings()).anySatisfy(finding -> assertThat(finding.problem()).contains("is committed to"));
  }

  @Test
  void shouldFindAnIndexEntryThatLeadsNowhere() {
    // Given
    Path index = firstWithBytes(".index");
    flip(index, 7);

    // When // Then
    assertThat(verify().findings()).anySatisfy(finding -> assertThat(finding.file()).isEqualTo(index));
  }

  @Test
  void shouldFindATimestampThatIsTooLow() {
    // Given
    Path index = firstWithBytes(".timeindex");
    try (DiskFile file = disk.openForWrite(index)) {
      file.write(ByteBuffer.allocate(8).putLong(0, 5), 0);
    }

    // When // Then
    assertThat(verify().findings()).anySatisfy(finding -> assertThat(finding.file()).isEqualTo(index));
  }

  @Test
  void shouldFindWhatAReplacementLeft_onlyWhereTheWriterHasStopped() throws Exception {
    // Given
    Files.createFile(directory.resolve("table0-0").resolve("00000000000000000000.log.cleaned"));

    // When // Then
    assertThat(verify().findings()).isEmpty();
    assertThat(verify(Option.CLOSED).findings()).singleElement().satisfies(
        finding -> assertThat(finding.file().getFileName()).hasToString("00000000000000000000.log.cleaned"));
  }

  @Test
  void shouldFindAMissingIndex_onlyWhereTheWriterHasStopped() throws Exception {
    // Given
    Files.delete(firstWithBytes(".index"));

    // When // Then
    assertThat(verify().findings()).isEmpty();
    assertThat(verify(Option.CLOSED).findings()).singleElement()
        .satisfies(finding -> assertThat(finding.problem()).contains("missing"));
  }

  @Test
  void shouldFindACheckpointBeyondTheLog() {
    // Given
    new OffsetCheckpoint(disk, directory, OffsetCheckpoint.CLEANER_OFFSET).write(Map.of(TABLE, 1_000_000L));

    // When // Then
    assertThat(verify(Option.CLOSED).findings()).singleElement()
        .satisfies(finding -> assertThat(finding.problem()).contains("1000000"));
  }

  @Test
  void shouldFindAKeyTwice_belowTheCheckpointOfACompletePass() {
    // Given
    long highWatermark;
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      highWatermark = reader.endOffset(TABLE);
    }
    new OffsetCheckpoint(disk, directory, OffsetCheckpoint.CLEANER_OFFSET).write(Map.of(TABLE, highWatermark));

    // When // Then
    assertThat(verify().findings()).isEmpty();
    assertThat(verify(Option.JUST_CLEANED).findings()).isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.problem()).contains("too"));
  }

  private Path[] logs() {
    Path folder = directory.resolve("table0-0");
    return disk.list(folder).stream().filter(name -> name.endsWith(".log")).map(folder::resolve).toArray(Path[]::new);
  }

  private Path firstLog() {
    return Arrays.stream(logs()).filter(log -> disk.size(log) > 0).findFirst().orElseThrow();
  }

  /** The file that holds the last committed offset. */
  private Path lastCommitted() {
    try (DirectoryReader reader = DirectoryReader.open(disk, directory)) {
      return Arrays.stream(logs())
          .filter(log -> Long.parseLong(log.getFileName().toString().replace(".log", "")) < reader.endOffset(TABLE))
          .reduce((earlier, later) -> later).orElseThrow();
    }
  }

  private Path firstWithBytes(String extension) {
    return Arrays.stream(logs()).map(log -> log.resolveSibling(log.getFileName().toString().replace(".log", extension)))
        .filter(index -> disk.size(index) > 0).findFirst().orElseThrow();
  }

  private void flip(Path path, long position) {
    try (DiskFile file = disk.openForWrite(path)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, position);
      one.put(0, (byte) ~one.get(0)).flip();
      file.write(one, position);
    }
  }
}
