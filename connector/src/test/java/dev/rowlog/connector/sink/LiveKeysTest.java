package dev.rowlog.connector.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.EngineOptions;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveKeysTest {
  private static final int KEYS = 3_000;

  @TempDir
  Path directory;

  @Test
  void shouldGiveEachLiveKeyOnceWhateverTheMemory() {
    try (LogEngine engine = LogEngine.open(
        new EngineOptions(directory, LogConfig.defaults(), CleanerConfig.defaults(), true),
        new NioDisk(), InstantSource.system(), System::nanoTime, new Random(3))) {
      // Given
      PartitionLog log = engine.createIfMissing(TopicPartition.of("t"),
          LogConfig.defaults().with("segment.bytes", "20000"));
      Set<String> expected = write(log);

      for (long budget : new long[]{1_000, 10_000, Long.MAX_VALUE}) {
        // When
        List<String> keys = new ArrayList<>();
        LiveKeys.forEach(log, budget, key -> keys.add(new String(key, StandardCharsets.UTF_8)));

        // Then
        assertThat(keys).as("budget %s", budget).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  @Test
  void shouldNotReadWhatItsActionAppends() {
    try (LogEngine engine = LogEngine.open(
        new EngineOptions(directory, LogConfig.defaults(), CleanerConfig.defaults(), true),
        new NioDisk(), InstantSource.system(), System::nanoTime, new Random(3))) {
      // Given
      PartitionLog log = engine.createIfMissing(TopicPartition.of("t"), LogConfig.defaults());
      int expected = write(log).size();
      long before = log.logEndOffset();

      // When
      LiveKeys.forEach(log, 10_000, key -> {
        RecordBatchEncoder batch = new RecordBatchEncoder(Compression.NONE);
        batch.add(0, key, null, List.of());
        log.append(batch);
      });

      // Then
      assertThat(log.logEndOffset() - before).isEqualTo(expected);
    }
  }

  private static Set<String> write(PartitionLog log) {
    Set<String> live = new TreeSet<>();
    Random random = new Random(11);
    RecordBatchEncoder batch = new RecordBatchEncoder(Compression.NONE);
    for (int i = 0; i < 3 * KEYS; i++) {
      String key = "key-" + random.nextInt(KEYS);
      boolean deletes = random.nextInt(3) == 0;
      batch.add(0, key.getBytes(StandardCharsets.UTF_8), deletes ? null : new byte[]{1}, List.of());
      if (deletes) {
        live.remove(key);
      } else {
        live.add(key);
      }
      if (i % 50 == 49) {
        log.append(batch);
        batch.begin();
      }
    }
    return live;
  }
}
