package dev.rowlog.engine.cleaner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.ManualClock;
import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.cleaner.map.KeyedHash;
import dev.rowlog.engine.disk.HookedDisk;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.kafka.KafkaLog;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.RecordBatchEncoder;
import dev.rowlog.engine.segment.Segment;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.record.internal.FileRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random logs, cleaned several times by us and by Kafka's own {@code Cleaner}: the same records survive, and Kafka
 * reads our files.
 *
 * <p>Exceptions, all of them ours to choose: where segments begin and end; how rounds divide a pass when the map is
 * full (both make as many as they need); header-only batches.
 */
class KafkaCleanerDifferentialTest {
  private static final int LOGS = 60;
  private static final long RETENTION_MS = 10_000;

  @TempDir
  private Path root;

  @Test
  void shouldKeepTheRecordsThatKafkasCleanerKeeps() {
    Seeds.forEach(LOGS, random -> {
      Path folder = Files.createTempDirectory(root, "seed");
      LogConfig config = CleanerFixture.CONFIG.with(
          Map.of(
              "segment.bytes", Integer.toString(16_000 + random.nextInt(20_000)),
              "delete.retention.ms", Long.toString(RETENTION_MS),
              "index.interval.bytes", Integer.toString(random.nextInt(4_096))));
      CleanerConfig cleaner = randomCleaner(random);
      // Given
      try (CleanerFixture ours = new CleanerFixture(
          HookedDisk.withoutSync(new NioDisk()), folder.resolve("ours"), new ManualClock(CleanerFixture.START_MS),
          cleaner,
          new KeyedHash(random));
          KafkaLog kafka = KafkaLog.open(
              folder.resolve("kafka").resolve(CleanerFixture.LOG.directoryName()),
              config.with("segment.index.bytes", "65536"),
              CleanerFixture.START_MS)) {
        PartitionLog log = ours.create(config);
        Batches batches = new Batches(random);
        int passes = 1 + random.nextInt(4);
        for (int pass = 0; pass < passes; pass++) {
          int count = 1 + random.nextInt(80);
          for (int i = 0; i < count; i++) {
            RecordBatchEncoder batch = batches.next();
            kafka.append(copy(batch.finish(log.logEndOffset(), 0)));
            log.append(batches.again());
          }
          log.roll();
          kafka.roll();
          ours.advance(random.nextInt((int) (2 * RETENTION_MS)));

          // When
          ours.cleaner().clean(log);
          kafka.clean(ours.clock.millis(), (int) cleaner.dedupeBufferSize(), 1 << 16);

          // Then
          assertThat(readByKafka(logFiles(log))).as("after pass %s", pass).isEqualTo(readByKafka(kafka.logFiles()));
        }
      }
    });
  }

  private static CleanerConfig randomCleaner(Random random) {
    long budget = random.nextInt(3) == 0 ? 2_000 + random.nextInt(4_000) : 1 << 20;
    return new CleanerConfig(true, budget, 4_096 << random.nextInt(6), 0.9, Double.MAX_VALUE, 15_000);
  }

  private static ByteBuffer copy(ByteBuffer batch) {
    ByteBuffer copy = ByteBuffer.allocate(batch.remaining());
    copy.put(batch.duplicate());
    return copy.flip();
  }

  private static List<File> logFiles(PartitionLog log) {
    return log.segments().all().stream().map(Segment::logPath).map(Path::toFile).toList();
  }

  private static List<String> readByKafka(List<File> files) throws IOException {
    List<String> records = new ArrayList<>();
    for (File file : files) {
      try (FileRecords opened = FileRecords.open(file, false)) {
        opened.batches().forEach(batch -> {
          batch.ensureValid();
          batch.forEach(record -> records.add(print(record)));
        });
      }
    }
    return records;
  }

  private static String print(org.apache.kafka.common.record.internal.Record record) {
    String headers = Arrays.stream(record.headers())
        .map(header -> header.key() + ":" + Arrays.toString(header.value()))
        .toList()
        .toString();
    return record.offset() + " " + record.timestamp() + " " + text(record.key()) + " " + text(record.value()) + " "
        + headers;
  }

  private static String text(ByteBuffer bytes) {
    return bytes == null ? "null" : StandardCharsets.UTF_8.decode(bytes).toString();
  }

  /** Random batches of a few keys, short and long; the same one can be had twice. */
  private static final class Batches {
    private final Random random;
    private final int keys;
    private long lastSeed;

    Batches(Random random) {
      this.random = random;
      this.keys = 1 + random.nextInt(200);
    }

    RecordBatchEncoder next() {
      lastSeed = random.nextLong();
      return fill(new Random(lastSeed));
    }

    RecordBatchEncoder again() {
      return fill(new Random(lastSeed));
    }

    private RecordBatchEncoder fill(Random draw) {
      Compression[] codecs = Compression.values();
      RecordBatchEncoder batch = new RecordBatchEncoder(
          draw.nextInt(3) == 0 ? codecs[draw.nextInt(codecs.length)] : Compression.NONE);
      batch.begin();
      int records = 1 + draw.nextInt(draw.nextInt(4) == 0 ? 60 : 6);
      int delta = draw.nextInt(10) == 0 ? draw.nextInt(1_000) : 0;
      for (int i = 0; i < records; i++) {
        batch.addAtDelta(delta, CleanerFixture.START_MS + draw.nextInt(1_000), key(draw), value(draw), headers(draw));
        delta += draw.nextInt(10) == 0 ? 1 + draw.nextInt(50) : 1;
      }
      return batch;
    }

    private byte[] key(Random draw) {
      int id = draw.nextInt(keys);
      String key = id % 5 == 0 ? "{\"order\":" + id + ",\"line_of_the_order\":7}" : "k".repeat(id % 7) + id;
      return key.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(Random draw) {
      return switch (draw.nextInt(5)) {
        case 0 -> null;
        case 1 -> new byte[0];
        default -> "v".repeat(draw.nextInt(80)).getBytes(StandardCharsets.UTF_8);
      };
    }

    private static List<Header> headers(Random draw) {
      return switch (draw.nextInt(4)) {
        case 0 -> List.of(new Header("__op", new byte[]{'u'}), new Header("none", null));
        case 1 -> List.of(new Header("__lsn", new byte[]{1, 2, 3}));
        default -> List.of();
      };
    }
  }
}
