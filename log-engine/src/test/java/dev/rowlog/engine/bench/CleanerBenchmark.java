package dev.rowlog.engine.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.rowlog.engine.ManualClock;
import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.cleaner.CleaningReport;
import dev.rowlog.engine.cleaner.LogCleaner;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.kafka.KafkaLog;
import dev.rowlog.engine.log.HighWatermark;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.log.opening.OpeningBound;
import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.BatchScanner;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One complete pass of our cleaner and one of Kafka's over the same files, in turn, in one process; both must leave the
 * same records.
 *
 * <p>System properties: {@code bench.kinds} (of uncompressed, lz4, headers: with those of a mirrored row), {@code
 * bench.records}, {@code bench.keys}, {@code bench.rounds}, {@code bench.kafka=false} for ours alone, as under a profiler. CPU time is the whole process's: compiler and collector too. docs/performance.md has
 * figures.
 */
class CleanerBenchmark {
  private static final TopicPartition LOG = TopicPartition.of("orders");
  private static final long START_MS = 1_700_000_000_000L;
  private static final int RECORDS = Integer.getInteger("bench.records", 10_000_000);
  private static final int KEYS = Integer.getInteger("bench.keys", 1_000_000);
  private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);
  private static final boolean WITH_KAFKA = !"false".equals(System.getProperty("bench.kafka"));
  private static final int RECORDS_A_BATCH = 100;
  private static final int ROLLED_BYTES = 64 << 20;

  private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  @TempDir
  Path root;

  /** What a pass took. */
  private record Cost(double wallSeconds, double cpuSeconds) {}

  /** A pass that may throw. */
  @FunctionalInterface
  private interface Pass {
    void run() throws Exception;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void compare(String kind) throws Exception {
    LogConfig config = LogConfig.defaults().with("segment.bytes", Integer.toString(ROLLED_BYTES))
        .with("compression.type", kind.equals("lz4") ? "lz4" : "none");
    Path source = root.resolve("source");
    long bytes = write(source, config, kind.equals("headers"));
    print("%s: %,d records of %,d keys, %,d bytes in segments of %,d", kind, RECORDS, KEYS, bytes, ROLLED_BYTES);
    List<Cost> ours = new ArrayList<>();
    List<Cost> kafkas = new ArrayList<>();
    for (int round = 0; round <= ROUNDS; round++) {
      // The first round warms up: compiler, page cache, first touch of memory.
      Path copy = linked(source, root.resolve("ours" + round));
      ours.add(clean(copy, config));
      String survivors = survivors(copy);
      delete(copy);
      if (WITH_KAFKA) {
        Path kafka = linked(source, root.resolve("kafka" + round));
        kafkas.add(cleanByKafka(kafka, config));
        assertThat(survivors(kafka)).as("what Kafka's cleaner leaves").isEqualTo(survivors);
        delete(kafka);
      }
      print("  round %d%s: ours %s%s", round, round == 0 ? " (not counted)" : "", text(ours.get(round)),
          WITH_KAFKA ? ", Kafka " + text(kafkas.get(round)) : "");
    }
    Cost median = median(ours.subList(1, ours.size()));
    if (WITH_KAFKA) {
      Cost kafka = median(kafkas.subList(1, kafkas.size()));
      print("  median: ours %s, Kafka %s: %.1f times less wall time, %.1f times less CPU", text(median), text(kafka),
          kafka.wallSeconds / median.wallSeconds, kafka.cpuSeconds / median.cpuSeconds);
    } else {
      print("  median: ours %s", text(median));
    }
    delete(source);
  }

  static Stream<String> kinds() {
    return Stream.of(System.getProperty("bench.kinds", "uncompressed,lz4,headers").split(","));
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  private static String text(Cost cost) {
    return String.format(Locale.ROOT, "%.2f s wall %.2f s CPU", cost.wallSeconds, cost.cpuSeconds);
  }

  private static Cost median(List<Cost> costs) {
    return new Cost(
        costs.stream().mapToDouble(Cost::wallSeconds).sorted().toArray()[costs.size() / 2],
        costs.stream().mapToDouble(Cost::cpuSeconds).sorted().toArray()[costs.size() / 2]);
  }

  private Cost measure(Pass pass) throws Exception {
    System.gc();
    long cpu = system.getProcessCpuTime();
    long wall = System.nanoTime();
    pass.run();
    return new Cost((System.nanoTime() - wall) / 1e9, (system.getProcessCpuTime() - cpu) / 1e9);
  }

  private static LogDirectory open(Path folder) {
    return LogDirectory.open(new NioDisk(), folder, new ManualClock(START_MS), Seeds.random(7));
  }

  /** Returns the bytes of the log. */
  private static long write(Path folder, LogConfig config, boolean headers) {
    Random random = Seeds.random(42);
    byte[] value = new byte[200];
    byte[] lsn = new byte[8];
    List<Header> mirrored = List.of(
        new Header("__op", new byte[]{'u'}), new Header("__lsn", lsn), new Header("__txid", lsn),
        new Header("__order", new byte[]{1}), new Header("__schema", new byte[]{1}));
    try (LogDirectory directory = open(folder)) {
      PartitionLog log = directory.create(LOG, config, HighWatermark.followingLogEnd());
      RecordBatchEncoder batch = new RecordBatchEncoder(config.compression());
      for (int i = 0; i < RECORDS; i += RECORDS_A_BATCH) {
        batch.begin();
        for (int j = 0; j < RECORDS_A_BATCH; j++) {
          byte[] key = String.format(Locale.ROOT, "{\"id\":%09d}", random.nextInt(KEYS)).getBytes(US_ASCII);
          int length = 80 + random.nextInt(100);
          // Digits, as JSON has many of them: lz4 finds something, not everything.
          for (int k = 0; k < length; k++) {
            value[k] = (byte) (k % 4 == 0 ? '0' + random.nextInt(10) : '"' + k % 16);
          }
          batch.add(START_MS + i, key, java.util.Arrays.copyOf(value, length), headers ? mirrored : List.of());
        }
        log.append(batch);
      }
      log.roll();
      return log.sizeBytes();
    }
  }

  /** The same files under other names: a cleaner writes to none of them, but to the active segment. */
  private static Path linked(Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Path copy = target.resolve(source.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else if (Files.size(file) > 1_000_000) {
          Files.createLink(copy, file);
        } else {
          Files.copy(file, copy);
        }
      }
    }
    return target;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  private Cost clean(Path folder, LogConfig config) throws Exception {
    try (LogDirectory directory = open(folder);
        LogCleaner cleaner = new LogCleaner(directory, CleanerConfig.defaults(), new ManualClock(START_MS),
            System::nanoTime, Seeds.random(1), log -> Long.MAX_VALUE)) {
      PartitionLog log = directory.load(LOG, config, new OpeningBound.LogEnd(), HighWatermark.followingLogEnd());
      CleaningReport[] report = new CleaningReport[1];
      Cost cost = measure(() -> report[0] = cleaner.clean(log));
      assertThat(report[0].endOffset()).isEqualTo(log.segments().active().baseOffset());
      return cost;
    }
  }

  private Cost cleanByKafka(Path folder, LogConfig config) throws Exception {
    CleanerConfig defaults = CleanerConfig.defaults();
    try (KafkaLog log = KafkaLog.open(folder.resolve(LOG.directoryName()), config, START_MS)) {
      return measure(
          () -> log.clean(START_MS, (int) defaults.dedupeBufferSize(), defaults.ioBufferSize() / 2));
    }
  }

  /** Number and checksum of the records that are left: offset, timestamp, and all from the key on. */
  private static String survivors(Path folder) {
    CRC32C crc = new CRC32C();
    long count = 0;
    NioDisk disk = new NioDisk();
    RecordBatchDecoder decoder = new RecordBatchDecoder();
    ByteBuffer numbers = ByteBuffer.allocate(2 * Long.BYTES);
    List<File> files = disk.list(folder.resolve(LOG.directoryName())).stream().filter(name -> name.endsWith(".log"))
        .map(name -> folder.resolve(LOG.directoryName()).resolve(name).toFile()).toList();
    for (File path : files) {
      try (var file = disk.openForRead(path.toPath())) {
        BatchScanner batches = new BatchScanner(file, 0, file.size(), 256 << 10);
        while (batches.next()) {
          decoder.open(batches.batch());
          for (; decoder.next(); count++) {
            crc.update(numbers.clear().putLong(decoder.offset()).putLong(decoder.timestamp()).flip());
            crc.update(decoder.data().duplicate().limit(decoder.recordEnd()).position(decoder.bodyPosition()));
          }
        }
      }
    }
    return count + " records, checksum " + Long.toHexString(crc.getValue());
  }
}
