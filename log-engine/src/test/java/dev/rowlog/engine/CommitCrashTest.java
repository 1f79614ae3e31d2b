package dev.rowlog.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.commit.CommitLog;
import dev.rowlog.engine.commit.CommittedEnds;
import dev.rowlog.engine.disk.CrashException;
import dev.rowlog.engine.disk.CrashPoints;
import dev.rowlog.engine.disk.RebootPolicy;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.inspect.verify.LogVerifier;
import dev.rowlog.engine.inspect.verify.VerificationReport;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.DirectoryReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The machine crashes at every call of the disk: what was acknowledged is there, what was not is there whole or not at all.
 */
class CommitCrashTest {
  private final Workload workload = new Workload(11, 3, 4, 40);

  @Test
  void shouldKeepWhatWasAcknowledged_wheneverTheMachineCrashes() {
    long changes = CrashPoints.forEach(new SimulatedDisk(), Scenario::new);
    assertThat(changes).as("calls at which it crashed").isGreaterThan(200);
  }

  /** The crash points again, with a second crash while the first is recovered from. */
  @Test
  void shouldKeepWhatWasAcknowledged_whenRecoveryCrashesToo() {
    CrashPoints.forEach(new SimulatedDisk(), RecoveryCrash::new);
  }

  /** One life of a mirror: commits, an abandoned transaction, a roll, a cleaning, a clean stop, another opening. */
  private class Scenario implements CrashPoints.Run {
    private long acknowledged;
    private long attempted;
    private final Map<TopicPartition, Long> published = new HashMap<>();

    @Override
    public void run(SimulatedDisk disk) {
      try (Mirror mirror = Mirror.open(disk, Mirror.ROOT, workload, Mirror.SMALL)) {
        for (int i = 0; i < 4; i++) {
          commit(mirror);
        }
        for (TopicPartition log : workload.logs()) {
          for (int i = 0; i < 4; i++) {
            mirror.appendUncommitted(log);
          }
        }
        mirror.engine().truncateToCommitted();
        commit(mirror);
        PartitionLog first = mirror.engine().log(workload.logs().get(0)).orElseThrow();
        first.roll();
        mirror.engine().cleaner().clean(first);
        commit(mirror);
        mirror.engine().checkpoint();
        mirror.appendUncommitted(workload.logs().get(1));
      }
      try (Mirror mirror = Mirror.open(disk, Mirror.ROOT, workload, Mirror.SMALL)) {
        commit(mirror);
        mirror.appendUncommitted(workload.logs().get(2));
      }
    }

    private void commit(Mirror mirror) {
      attempted = mirror.committed() + 1;
      mirror.commitNext();
      acknowledged = attempted;
      published.putAll(mirror.engine().committed().ends());
    }

    @Override
    public void check(SimulatedDisk rebooted) {
      if (rebooted.isDirectory(Mirror.ROOT)) {
        checkReader(rebooted);
      }
      try (Mirror mirror = Mirror.open(rebooted, Mirror.ROOT, workload, Mirror.SMALL)) {
        assertThat(mirror.engine().failedLogs()).isEmpty();
        assertThat(mirror.committed()).isBetween(acknowledged, attempted);
        assertThat(mirror.tables()).isEqualTo(workload.tables(mirror.committed()));
        CommittedEnds committed = mirror.engine().committed();
        for (TopicPartition name : workload.logs()) {
          assertThat(committed.end(name)).as("an offset below it was published").isGreaterThanOrEqualTo(
              published.getOrDefault(name, 0L));
          assertThat(mirror.engine().log(name).orElseThrow().logEndOffset()).isEqualTo(committed.end(name));
        }
        mirror.commitNext();
        assertThat(mirror.tables()).isEqualTo(workload.tables(mirror.committed()));
      }
      checkSound(rebooted);
    }

    /** Before anything is recovered: a reader changes nothing and sees the same commits. */
    private void checkReader(SimulatedDisk rebooted) {
      try (DirectoryReader reader = DirectoryReader.open(rebooted, Mirror.ROOT)) {
        if (reader.committed().isEmpty() || !reader.partitions().containsAll(workload.logs())) {
          assertThat(acknowledged).isZero();
          return;
        }
        long committed = Mirror.number(reader.committed().get());
        assertThat(committed).isBetween(acknowledged, attempted);
        assertThat(Mirror.tables(workload, log -> reader.cursor(log, 0))).isEqualTo(workload.tables(committed));
      }
    }

    private void checkSound(SimulatedDisk disk) {
      try (DirectoryReader reader = DirectoryReader.open(disk, Mirror.ROOT)) {
        List<VerificationReport> reports = LogVerifier.verifyAll(reader, LogVerifier.Option.CLOSED);
        assertThat(reports).extracting(VerificationReport::log).contains(CommitLog.PARTITION);
        assertThat(reports).flatExtracting(VerificationReport::findings).isEmpty();
      }
      assertThat(disk.openFiles()).as("files left open").isEmpty();
    }
  }

  /** The same, and the first opening afterwards crashes at one of its own calls, another one each time. */
  private final class RecoveryCrash extends Scenario {
    private static int turn;

    @Override
    public void check(SimulatedDisk rebooted) {
      // A sample: the crash points of the recovery times those of the scenario are too many for every build.
      if (++turn % 7 != 0) {
        return;
      }
      rebooted.crashAt(1 + turn / 7 % 23);
      try (Mirror mirror = Mirror.open(rebooted, Mirror.ROOT, workload, Mirror.SMALL)) {
        assertThat(mirror.committed()).isGreaterThanOrEqualTo(super.acknowledged);
      } catch (CrashException e) {
        assertThat(rebooted.isCrashed()).isTrue();
      }
      RebootPolicy[] policies = RebootPolicy.values();
      super.check(rebooted.reboot(policies[turn / 7 % policies.length], turn));
    }
  }

  @Test
  void shouldSayWhatTheScenarioCovers() {
    // Given
    SimulatedDisk disk = new SimulatedDisk();
    Scenario scenario = new Scenario();

    // When
    scenario.run(disk);

    // Then
    assertThat(scenario.acknowledged).isEqualTo(7);
    try (DirectoryReader reader = DirectoryReader.open(disk, Mirror.ROOT)) {
      assertThat(workload.logs()).allSatisfy(log -> assertThat(reader.segments(log)).hasSizeGreaterThan(1));
      assertThat(new String(reader.committed().orElseThrow().position().orElseThrow(), UTF_8)).isEqualTo("7");
    }
  }
}
