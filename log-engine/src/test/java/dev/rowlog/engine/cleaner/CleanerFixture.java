package dev.rowlog.engine.cleaner;

import dev.rowlog.engine.ManualClock;
import dev.rowlog.engine.cleaner.map.KeyHash;
import dev.rowlog.engine.cleaner.map.KeyedHash;
import dev.rowlog.engine.cleaner.map.OffsetMap;
import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.log.HighWatermark;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.log.directory.LogDirectory;
import dev.rowlog.engine.log.opening.OpeningBound;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.BatchScanner;
import dev.rowlog.engine.segment.Segment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A data directory with one log or a few, a cleaner and a clock, spoken to in the notation of the cases: {@code
 * k=v} is a record, {@code k=∅} a tombstone, {@code k=} a value of no bytes, {@code =v} a record without key.
 */
public final class CleanerFixture implements AutoCloseable {
  public static final TopicPartition LOG = TopicPartition.of("orders");
  public static final long START_MS = 1_700_000_000_000L;
  public static final String TOMBSTONE = "∅";

  /** Nothing is rolled, nothing waits: what a test does not say does not happen. */
  public static final LogConfig CONFIG = LogConfig.defaults().with("segment.bytes", "1000000")
      .with("file.delete.delay.ms", "0").with("segment.ms", "" + Long.MAX_VALUE);

  private final Disk disk;
  private final Path root;
  private final CleanerConfig cleanerConfig;
  private final KeyHash hash;
  public final ManualClock clock;
  private LogDirectory directory;
  private LogCleaner cleaner;

  public CleanerFixture(Disk disk, Path root, ManualClock clock, CleanerConfig cleanerConfig, KeyHash hash) {
    this.disk = disk;
    this.root = root;
    this.clock = clock;
    this.cleanerConfig = cleanerConfig;
    this.hash = hash;
    open();
  }

  public CleanerFixture(Disk disk, Path root) {
    this(disk, root, CleanerConfig.defaults());
  }

  public CleanerFixture(Disk disk, Path root, CleanerConfig cleanerConfig) {
    this(disk, root, new ManualClock(START_MS), cleanerConfig, new KeyedHash(new Random(1)));
  }

  /** A cleaner whose map takes so many short keys. */
  public static CleanerConfig mapOf(int keys) {
    // One slot stays empty; a sixteenth is kept for long keys, an eighth for bits.
    long slotBytes = (keys + 1L) * OffsetMap.SLOT_BYTES;
    long budget = (slotBytes * 16 / 15 + 16) * 8 / 7 + 8;
    return new CleanerConfig(true, budget, 1 << 16, 1.0, Double.MAX_VALUE, 15_000);
  }

  private void open() {
    directory = LogDirectory.open(disk, root, clock, new Random(7));
    cleaner = new LogCleaner(directory, cleanerConfig, clock, System::nanoTime, hash, log -> Long.MAX_VALUE);
  }

  /** Stops cleanly and starts again; logs must be loaded again. */
  public void reopen() {
    close();
    open();
  }

  public void advance(long ms) {
    clock.advance(Duration.ofMillis(ms));
  }

  public PartitionLog create(LogConfig config) {
    return directory.create(LOG, config, HighWatermark.followingLogEnd());
  }

  public PartitionLog load(LogConfig config) {
    return directory.load(LOG, config, new OpeningBound.LogEnd(), HighWatermark.followingLogEnd());
  }

  public LogDirectory directory() {
    return directory;
  }

  public LogCleaner cleaner() {
    return cleaner;
  }

  /** One batch a record. */
  public void write(PartitionLog log, String... records) {
    for (String record : records) {
      writeBatch(log, Compression.NONE, record);
    }
  }

  public void writeBatch(PartitionLog log, Compression compression, String... records) {
    RecordBatchEncoder encoder = new RecordBatchEncoder(compression);
    encoder.begin();
    for (String record : records) {
      int equals = record.indexOf('=');
      byte[] key = equals == 0 ? null : record.substring(0, equals).getBytes(StandardCharsets.UTF_8);
      String value = record.substring(equals + 1);
      byte[] bytes = value.equals(TOMBSTONE) ? null : value.getBytes(StandardCharsets.UTF_8);
      encoder.add(clock.millis(), key, bytes, List.of());
    }
    log.append(encoder);
  }

  /**
   * Every record of the log, such as {@code a=1@0}, separated by blanks, segments by bars; what a reader from
   * offset 0 gets.
   */
  public static String contents(PartitionLog log) {
    List<String> segments = new ArrayList<>();
    for (Segment segment : log.segments().all()) {
      segments.add(String.join(" ", records(segment).stream().map(CleanerFixture::print).toList()));
    }
    return String.join(" | ", segments);
  }

  public static List<Record> records(PartitionLog log) {
    List<Record> records = new ArrayList<>();
    log.segments().all().forEach(segment -> records.addAll(records(segment)));
    return records;
  }

  /** Key to value of the newest record of each key that is not deleted. */
  public static TreeMap<String, String> table(PartitionLog log) {
    TreeMap<String, String> table = new TreeMap<>();
    for (Record record : records(log)) {
      if (record.isTombstone()) {
        table.remove(text(record.key()));
      } else {
        table.put(text(record.key()), text(record.value()));
      }
    }
    return table;
  }

  public static List<Record> records(Segment segment) {
    List<Record> records = new ArrayList<>();
    RecordBatchDecoder decoder = new RecordBatchDecoder();
    forEachBatch(segment, batch -> {
      decoder.open(batch);
      while (decoder.next()) {
        records.add(decoder.record());
      }
    });
    return records;
  }

  /** What a batch says of itself. */
  public record BatchFacts(long baseOffset, long lastOffset, int records, boolean hasHorizon, long baseTimestamp,
      long maxTimestamp) {}

  public static List<BatchFacts> batches(PartitionLog log) {
    List<BatchFacts> facts = new ArrayList<>();
    for (Segment segment : log.segments().all()) {
      forEachBatch(
          segment,
          batch -> facts.add(
              new BatchFacts(
                  batch.baseOffset(),
                  batch.lastOffset(),
                  batch.recordCount(),
                  batch.attributes().hasDeleteHorizon(),
                  batch.baseTimestamp(),
                  batch.maxTimestamp())));
    }
    return facts;
  }

  private static void forEachBatch(Segment segment, java.util.function.Consumer<RecordBatch> use) {
    if (!segment.retain()) {
      throw new AssertionError(segment + " is gone");
    }
    try {
      BatchScanner scanner = new BatchScanner(segment.logFile(), 0, segment.sizeBytes(), 1 << 16);
      while (scanner.next()) {
        scanner.batch().ensureValid(segment.logPath(), scanner.position());
        use.accept(scanner.batch());
      }
    } finally {
      segment.release();
    }
  }

  public static String print(Record record) {
    String key = record.key() == null ? "" : text(record.key());
    return key + "=" + (record.isTombstone() ? TOMBSTONE : text(record.value())) + "@" + record.offset();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    cleaner.close();
    directory.close();
  }
}
