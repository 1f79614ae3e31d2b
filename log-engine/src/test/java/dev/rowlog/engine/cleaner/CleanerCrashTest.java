package dev.rowlog.engine.cleaner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.ManualClock;
import dev.rowlog.engine.cleaner.map.KeyedHash;
import dev.rowlog.engine.disk.CrashPoints;
import dev.rowlog.engine.disk.RebootPolicy;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.Record;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A machine that crashes at any disk call of a pass, and whatever it then finds of what was not synced. */
class CleanerCrashTest {
  private static final Path ROOT = Path.of("/data");
  private static final long RETENTION_MS = 10_000;
  private static final LogConfig CONFIG = CleanerFixture.CONFIG
      .with(Map.of("segment.bytes", "280", "delete.retention.ms", Long.toString(RETENTION_MS)));

  /** Thousands of directories are opened: each with small buffers. */
  private static final CleanerConfig SMALL = new CleanerConfig(true, 8_192, 4_096, 0.9, Double.MAX_VALUE, 15_000);

  @Test
  void shouldNeverLoseOrReviveAKeyWhenCrashedAtAnyCallOfTwoPasses() {
    // Given values, tombstones and replaced values over several segments
    SimulatedDisk start = new SimulatedDisk();
    TreeMap<String, String> table;
    long logEndOffset;
    try (CleanerFixture fixture = fixture(start, CleanerFixture.START_MS)) {
      PartitionLog log = fixture.create(CONFIG);
      fixture.write(log, "a=1", "b=1", "c=1", "a=2", "d=1", "b=∅", "a=3", "c=∅", "d=2", "e=1");
      log.roll();
      fixture.write(log, "e=2");
      log.flush();
      table = CleanerFixture.table(log);
      logEndOffset = log.logEndOffset();
    }

    // When and then
    long changes = CrashPoints.forEach(
        start.reboot(RebootPolicy.EVERYTHING, 0),
        () -> new CrashPoints.Run() {
          @Override
          public void run(SimulatedDisk disk) {
            // The first pass sets horizons, the second removes the tombstones.
            for (int pass = 0; pass < 2; pass++) {
              try (CleanerFixture fixture = fixture(disk, CleanerFixture.START_MS + pass * RETENTION_MS)) {
                fixture.cleaner().clean(fixture.load(CONFIG));
              }
            }
          }

          @Override
          public void check(SimulatedDisk rebooted) {
            try (CleanerFixture fixture = fixture(rebooted, CleanerFixture.START_MS + 3 * RETENTION_MS)) {
              PartitionLog log = fixture.load(CONFIG);
              assertThat(CleanerFixture.table(log)).isEqualTo(table);
              assertThat(log.logEndOffset()).isEqualTo(logEndOffset);
              assertOffsetsRise(log);
              fixture.cleaner().clean(log);
              assertThat(CleanerFixture.table(log)).isEqualTo(table);
              assertThat(log.logEndOffset()).isEqualTo(logEndOffset);
              assertThat(rebooted.list(log.directory()))
                  .noneMatch(name -> name.endsWith(".cleaned") || name.endsWith(".swap"));
            }
          }
        });
    assertThat(changes).isGreaterThan(20);
  }

  private static void assertOffsetsRise(PartitionLog log) {
    List<Long> offsets = CleanerFixture.records(log).stream().map(Record::offset).toList();
    assertThat(offsets).isSorted().doesNotHaveDuplicates();
  }

  private static CleanerFixture fixture(SimulatedDisk disk, long nowMs) {
    return new CleanerFixture(disk, ROOT, new ManualClock(nowMs), SMALL, new KeyedHash(new Random(1)));
  }
}
