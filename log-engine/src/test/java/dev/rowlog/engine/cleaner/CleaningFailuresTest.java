package dev.rowlog.engine.cleaner;

import static dev.rowlog.engine.cleaner.CleanerFixture.CONFIG;
import static dev.rowlog.engine.cleaner.CleanerFixture.LOG;
import static dev.rowlog.engine.cleaner.CleanerFixture.contents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.disk.HookedDisk;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.error.LogClosedException;
import dev.rowlog.engine.log.HighWatermark;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.BatchAttributes;
import dev.rowlog.engine.record.BatchHeader;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pass that fails loses nothing, says why, stops nobody else and is tried again. */
class CleaningFailuresTest {
  private static final LogConfig EAGER = CONFIG.with("min.cleanable.dirty.ratio", "0");
  private static final TopicPartition OTHER = TopicPartition.of("zebras");

  @TempDir
  private Path root;

  private HookedDisk disk;
  private CleanerFixture fixture;
  private PartitionLog log;

  @BeforeEach
  void open() {
    disk = new HookedDisk(new NioDisk());
    fixture = new CleanerFixture(disk, root);
    log = fixture.create(EAGER);
    fixture.write(log, "a=1", "a=2", "b=1", "b=2");
    log.roll();
    fixture.write(log, "b=3");
    log.roll();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void shouldCleanTheOtherLogsWhenOneIsCorrupt() throws IOException {
    // Given
    PartitionLog other = fixture.directory().create(OTHER, EAGER, HighWatermark.followingLogEnd());
    fixture.write(other, "a=1", "a=2");
    other.roll();
    flipByte(firstLog(), 65);

    // When
    Optional<CleaningReport> report = fixture.cleaner().runOnce();

    // Then
    assertThat(report).map(CleaningReport::log).contains(OTHER);
    assertThat(contents(other)).isEqualTo("a=2@1 | ");
    assertThat(fixture.cleaner().failures()).containsOnlyKeys(LOG);
    assertThat(fixture.cleaner().failures().get(LOG).reason()).isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("CRC").hasMessageContaining("orders-0");
  }

  @Test
  void shouldNotTrustABaseOffsetWhichTheCrcDoesNotCover() throws IOException {
    // Given the second batch of the first segment claims to lie far behind
    flipByte(firstLog(), 70);

    // Then
    assertThatThrownBy(() -> fixture.cleaner().clean(log)).isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("at position 70").hasMessageContaining("72057594037927937");
  }

  @Test
  void shouldDropNothingBecauseOfABatchWhoseCrcIsWrong() throws IOException {
    // Given a bit of the newest record's key is flipped, and one of the oldest in the clean part
    fixture.cleaner().clean(log);
    fixture.write(log, "a=3");
    log.roll();
    Path first = firstLog();
    flipByte(first, 68);
    Map<String, byte[]> before = logFiles();

    // When
    assertThatThrownBy(() -> fixture.cleaner().clean(log)).isInstanceOf(CorruptLogException.class);

    // Then
    assertThat(logFiles()).usingRecursiveComparison().isEqualTo(before);
  }

  @Test
  void shouldTryAgainAfterABackoffThatDoubles() {
    // Given
    AtomicBoolean refuses = new AtomicBoolean(true);
    disk.listen((verb, file) -> {
      if (verb.equals("create") && file.toString().endsWith(".log.cleaned") && refuses.get()) {
        throw new DiskFailureException(verb, file, new IOException("No space left on device"));
      }
    });

    // When
    List<Optional<CleaningReport>> reports = new ArrayList<>();
    reports.add(fixture.cleaner().runOnce());
    reports.add(fixture.cleaner().runOnce());
    int attemptsAtOnce = fixture.cleaner().failures().get(LOG).attempts();
    fixture.advance(15_000);
    reports.add(fixture.cleaner().runOnce());
    int attemptsLater = fixture.cleaner().failures().get(LOG).attempts();
    refuses.set(false);
    fixture.advance(15_000);
    reports.add(fixture.cleaner().runOnce());
    fixture.advance(15_000);
    Optional<CleaningReport> last = fixture.cleaner().runOnce();

    // Then
    assertThat(reports).allMatch(Optional::isEmpty);
    assertThat(attemptsAtOnce).isEqualTo(1);
    assertThat(attemptsLater).isEqualTo(2);
    assertThat(last).isPresent();
    assertThat(fixture.cleaner().failures()).isEmpty();
    assertThat(contents(log)).isEqualTo("a=2@1 b=3@4 | ");
  }

  @Test
  void shouldKeepNoErrorToItself_andLeaveNothingHalfDone() {
    // Given
    AtomicBoolean once = new AtomicBoolean(true);
    disk.listen((verb, file) -> {
      if (file.toString().endsWith(".log.cleaned") && once.getAndSet(false)) {
        throw new OutOfMemoryError("Cannot reserve direct buffer memory");
      }
    });

    // When
    assertThatThrownBy(() -> fixture.cleaner().runOnce()).isInstanceOf(OutOfMemoryError.class);
    Optional<CleaningReport> second = fixture.cleaner().runOnce();

    // Then
    assertThat(second).isPresent();
  }

  @Test
  void shouldEndTheBackgroundThread_byAnError() throws InterruptedException {
    // Given
    disk.listen((verb, file) -> {
      if (file.toString().endsWith(".log.cleaned")) {
        throw new OutOfMemoryError("Java heap space");
      }
    });
    CountDownLatch told = new CountDownLatch(1);
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
      if (thread.getName().equals("log-cleaner") && error instanceof OutOfMemoryError) {
        told.countDown();
      }
    });

    // When
    try {
      fixture.cleaner().start();

      // Then
      assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void shouldLeaveSourcesAndNoCleanedFileWhenACompressedBatchDoesNotDecode() throws IOException {
    // Given an lz4 batch of nonsense with a right CRC
    log.close();
    fixture.reopen();
    Path folder = root.resolve(LOG.directoryName());
    Path last = folder.resolve("00000000000000000005.log");
    Files.write(last, nonsense(5));
    log = fixture.load(EAGER);
    log.roll();
    Map<String, byte[]> before = logFiles();

    // When
    assertThatThrownBy(() -> fixture.cleaner().clean(log)).isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("00000000000000000005.log");

    // Then
    assertThat(logFiles()).usingRecursiveComparison().isEqualTo(before);
    assertThat(names()).noneMatch(name -> name.contains(".cleaned") || name.contains(".swap"));
  }

  @Test
  void shouldDeleteWhatItHasWrittenWhenTheDiskRefusesInTheMiddle() throws IOException {
    // Given a second group whose outputs cannot be created
    log.reconfigure(EAGER.with("segment.bytes", "300"));
    fixture.write(log, "c=1", "c=2", "c=3", "c=4", "c=5");
    log.roll();
    disk.listen((verb, file) -> {
      if (file.toString().endsWith("05.index.cleaned")) {
        throw new DiskFailureException(verb, file, new IOException("No space left on device"));
      }
    });

    // When
    assertThatThrownBy(() -> fixture.cleaner().clean(log)).isInstanceOf(DiskFailureException.class);

    // Then the first group is done, of the second nothing
    assertThat(names()).noneMatch(name -> name.contains(".cleaned") || name.contains(".swap"));
    assertThat(CleanerFixture.table(log)).isEqualTo(Map.of("a", "2", "b", "3", "c", "5"));
  }

  @Test
  void shouldNotTouchASourceBeforeTheSwap() {
    // Given
    Map<String, byte[]> before = logFiles();
    List<Boolean> untouched = new ArrayList<>();
    disk.listen((verb, file) -> {
      if (verb.equals("rename") && file.toString().endsWith(".log.swap")) {
        untouched.add(before.entrySet().stream()
            .allMatch(entry -> java.util.Arrays.equals(entry.getValue(), logFiles().get(entry.getKey()))));
      }
    });

    // When
    fixture.cleaner().clean(log);

    // Then
    assertThat(untouched).containsExactly(true);
  }

  @Test
  void shouldLeaveNothingHalfDoneWhenClosedDuringAPass() {
    // Given
    String before = contents(log);
    disk.listen((verb, file) -> {
      if (file.toString().endsWith(".log.cleaned")) {
        Thread closer = new Thread(() -> fixture.cleaner().close());
        closer.start();
        awaitStopped();
      }
    });

    // When
    assertThatThrownBy(() -> fixture.cleaner().clean(log)).isInstanceOf(LogClosedException.class);

    // Then
    assertThat(contents(log)).isEqualTo(before);
    assertThat(names()).noneMatch(name -> name.contains(".cleaned") || name.contains(".swap"));
    assertThatThrownBy(() -> fixture.cleaner().runOnce()).isInstanceOf(LogClosedException.class);
  }

  private void awaitStopped() {
    while (!fixture.cleaner().isStopping()) {
      Thread.onSpinWait();
    }
  }

  private static byte[] nonsense(long baseOffset) {
    byte[] frame = "this is not a frame of lz4, whatever the header says"
        .getBytes(java.nio.charset.StandardCharsets.UTF_8);
    ByteBuffer batch = ByteBuffer.allocateDirect(RecordBatchLayout.HEADER_SIZE + frame.length);
    batch.put(RecordBatchLayout.HEADER_SIZE, frame);
    new BatchHeader(baseOffset, 0, BatchAttributes.of(Compression.LZ4), 1, 1L, 1L, -1, (short) -1, -1, 2)
        .writeTo(batch, 0, batch.capacity());
    byte[] bytes = new byte[batch.capacity()];
    batch.get(0, bytes);
    return bytes;
  }

  private Path firstLog() {
    return root.resolve(LOG.directoryName()).resolve(
        names().stream().filter(name -> name.endsWith(".log")).sorted().findFirst().orElseThrow());
  }

  private static void flipByte(Path file, int position) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[position] ^= 1;
    Files.write(file, bytes);
  }

  private List<String> names() {
    try (Stream<Path> files = Files.list(root.resolve(LOG.directoryName()))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, byte[]> logFiles() {
    Map<String, byte[]> files = new java.util.TreeMap<>();
    for (String name : names()) {
      if (name.endsWith(".log")) {
        try {
          files.put(name, Files.readAllBytes(root.resolve(LOG.directoryName()).resolve(name)));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return files;
  }
}
