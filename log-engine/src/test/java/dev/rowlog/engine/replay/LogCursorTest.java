package dev.rowlog.engine.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.Mirror;
import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.Workload;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogCursorTest {
  private static final TopicPartition TABLE = TopicPartition.of("table0");

  @TempDir
  Path directory;

  private final Disk disk = new NioDisk();
  private final Workload workload = new Workload(9, 1, 6, 30);

  @Test
  void shouldGiveTheNextRecordThatExists_whereverItBegins() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      // Given
      for (int i = 0; i < 60; i++) {
        mirror.commitNext();
      }
      PartitionLog log = mirror.engine().log(TABLE).orElseThrow();
      mirror.engine().cleaner().clean(log);
      List<Long> existing = offsets(mirror.engine().cursor(TABLE, 0));
      assertThat(existing.size()).as("the cleaner has made gaps").isLessThan((int) log.highWatermark());

      for (long from = 0; from <= log.highWatermark(); from++) {
        long first = from;

        // When
        List<Long> read = offsets(mirror.engine().cursor(TABLE, from));

        // Then
        assertThat(read).isEqualTo(existing.stream().filter(offset -> offset >= first).toList());
      }
    }
  }

  private static List<Long> offsets(LogCursor cursor) {
    List<Long> offsets = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        offsets.add(cursor.current().offset());
      }
      assertThat(cursor.position()).isEqualTo(cursor.endOffset());
    }
    return offsets;
  }

  @Test
  void shouldSeeATableOfSomeCommit_whileTheCleanerRuns() throws Exception {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      // Given
      AtomicBoolean stop = new AtomicBoolean();
      ExecutorService threads = Executors.newSingleThreadExecutor();
      PartitionLog log = mirror.engine().log(TABLE).orElseThrow();
      Future<?> cleaner = threads.submit(() -> {
        while (!stop.get()) {
          mirror.engine().cleaner().clean(log);
          log.deleteExpiredFiles();
        }
      });
      CompletableFuture<List<String>> reader = CompletableFuture.supplyAsync(() -> readUntil(stop, mirror), threads(1));

      // When
      for (int i = 0; i < 150; i++) {
        mirror.commitNext();
      }
      stop.set(true);

      // Then
      assertThat(reader.get()).isEmpty();
      cleaner.get();
      threads.shutdown();
    }
  }

  private static ExecutorService threads(int count) {
    return Executors.newFixedThreadPool(count, task -> {
      Thread thread = new Thread(task, "reader");
      thread.setDaemon(true);
      return thread;
    });
  }

  /** What was wrong: tables that no commit between the beginning and the end of the read had. */
  private List<String> readUntil(AtomicBoolean stop, Mirror mirror) {
    List<String> wrong = new ArrayList<>();
    long number = 0;
    Map<TopicPartition, Map<String, String>> tables = workload.tables(0);
    while (!stop.get()) {
      for (; number < mirror.committed(); number++) {
        workload.apply(tables, number + 1);
      }
      List<Map<String, String>> allowed = new ArrayList<>();
      allowed.add(Map.copyOf(tables.get(TABLE)));
      Map<String, String> read = Mirror.table(mirror.engine().cursor(TABLE, 0));
      for (; number < mirror.committed(); number++) {
        workload.apply(tables, number + 1);
        allowed.add(Map.copyOf(tables.get(TABLE)));
      }
      if (!allowed.contains(read)) {
        wrong.add(read + " is none of " + allowed);
      }
    }
    return wrong;
  }

  @Test
  void shouldReadOnFromSegmentsThatAreDeletedMeanwhile() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, Mirror.SMALL)) {
      for (int i = 0; i < 40; i++) {
        mirror.commitNext();
      }
      PartitionLog log = mirror.engine().log(TABLE).orElseThrow();
      List<Long> before = offsets(mirror.engine().cursor(TABLE, 0));
      try (LogCursor cursor = mirror.engine().cursor(TABLE, 0)) {
        // Given
        cursor.next();

        // When
        mirror.engine().cleaner().clean(log);
        log.deleteExpiredFiles();

        // Then
        List<Long> read = new ArrayList<>(List.of(cursor.current().offset()));
        while (cursor.next()) {
          read.add(cursor.current().offset());
        }
        assertThat(read).isEqualTo(before);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = Compression.class, names = {"NONE", "LZ4", "ZSTD"})
  void shouldStopInsideABatchAtTheHighWatermark(Compression compression) {
    // Given
    AtomicLong highWatermark = new AtomicLong(3);
    InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    try (LogDirectory logs = LogDirectory.open(disk, directory, clock, Seeds.random(1))) {
      PartitionLog log = logs.create(TABLE, LogConfig.defaults(), logEnd -> Math.min(highWatermark.get(), logEnd));
      RecordBatchEncoder encoder = new RecordBatchEncoder(compression);
      encoder.begin();
      for (int i = 0; i < 10; i++) {
        encoder.add(0, ("key" + i).getBytes(UTF_8), new byte[10], List.of());
      }
      log.append(encoder);
      try (LogCursor cursor = LogCursor.open(log, 0)) {
        List<Long> read = new ArrayList<>();
        for (long end : new long[]{3, 3, 4, 10}) {
          highWatermark.set(end);

          // When
          cursor.refresh();
          while (cursor.next()) {
            read.add(cursor.current().offset());
          }

          // Then
          assertThat(cursor.endOffset()).isEqualTo(end);
          assertThat(read).hasSize((int) end).doesNotHaveDuplicates();
        }
      }
    }
  }

  @Test
  void shouldNameThePlaceOfABatchWhoseCrcDoesNotHold() {
    try (Mirror mirror = Mirror.open(disk, directory, workload, LogConfig.defaults())) {
      // Given
      while (mirror.engine().committed().end(TABLE) == 0) {
        mirror.commitNext();
      }
      Path file = directory.resolve("table0-0/00000000000000000000.log");
      try (DiskFile log = disk.openForWrite(file)) {
        log.write(ByteBuffer.wrap(new byte[]{'?'}), 75);
      }

      // When // Then
      try (LogCursor cursor = mirror.engine().cursor(TABLE, 0)) {
        assertThatThrownBy(cursor::next).isInstanceOf(CorruptLogException.class)
            .hasMessageContaining("00000000000000000000.log").hasMessageContaining("CRC");
      }
    }
  }

  @Test
  void shouldGiveRecordsWithTheirHeadersAndTimestamps() {
    // Given
    InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    try (LogDirectory logs = LogDirectory.open(disk, directory, clock, Seeds.random(1))) {
      PartitionLog log = logs.create(TABLE, LogConfig.defaults(), logEnd -> logEnd);
      RecordBatchEncoder encoder = new RecordBatchEncoder(Compression.ZSTD);
      encoder.begin();
      encoder.add(1_234, "k".getBytes(UTF_8), null,
          List.of(new dev.rowlog.engine.record.Header("__op", "d".getBytes(UTF_8))));
      log.append(encoder);

      // When
      try (LogCursor cursor = LogCursor.open(log, 0)) {
        assertThat(cursor.next()).isTrue();

        // Then
        assertThat(cursor.record().timestamp()).isEqualTo(1_234);
        assertThat(cursor.record().isTombstone()).isTrue();
        assertThat(cursor.record().headers()).singleElement().satisfies(header -> {
          assertThat(header.key()).isEqualTo("__op");
          assertThat(header.value()).isEqualTo("d".getBytes(UTF_8));
        });
      }
    }
  }
}
