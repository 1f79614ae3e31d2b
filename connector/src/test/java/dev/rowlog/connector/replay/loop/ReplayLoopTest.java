package dev.rowlog.connector.replay.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.replay.ShopLogs;
import dev.rowlog.connector.replay.UnsyncedDisk;
import dev.rowlog.connector.replay.loop.ReplayLoop.Outcome;
import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.connector.replay.spi.TargetPosition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayLoopTest {
  private static final int KEYS = 30;

  @TempDir
  Path directory;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<String> said = new ArrayList<>();
  private ShopLogs logs;
  private MemoryTarget target = new MemoryTarget(true);
  private ReplayLoop loop;

  @BeforeEach
  void createLogs() {
    logs = ShopLogs.create(directory);
  }

  @AfterEach
  void closeAll() {
    if (loop != null) {
      loop.close();
    }
    logs.close();
  }

  private ReplayLoop loop(int rows, boolean rebuild) {
    if (loop != null) {
      loop.close();
    }
    loop = new ReplayLoop(UnsyncedDisk.create(), directory, TablePatterns.parse("shop.*"), target,
        new ReplayLimits(rows, 10_000), rebuild,
        new Heard(), () -> false);
    return loop;
  }

  private final class Heard implements ReplayListener {
    @Override
    public void building(TableId table, String reason) {
      said.add("building " + table + (reason.isEmpty() ? "" : ": " + reason));
    }

    @Override
    public void tableStopped(TableId table, String reason) {
      said.add("stopped " + table + ": " + reason);
    }

    @Override
    public void tableNotComplete(TableId table) {
      said.add("not complete " + table);
    }
  }

  private void catchUp() {
    for (int i = 0; loop.runOnce() == Outcome.MOVED; i++) {
      assertThat(i).as("steps, seed %d", seed).isLessThan(100_000);
    }
  }

  private void assertEqualToTheTables() {
    assertThat(target.rows(ShopLogs.ITEMS_TOPIC)).as("seed %d", seed).isEqualTo(logs.items());
    assertThat(target.rows(ShopLogs.LINES_TOPIC)).as("seed %d", seed).isEqualTo(logs.lines());
  }

  /** The transaction that each table is as of. */
  private List<String> transactions() {
    Map<String, String> items = target.rows(ShopLogs.ITEMS_TOPIC);
    Map<String, String> lines = target.rows(ShopLogs.LINES_TOPIC);
    return List.of(items.get(ShopLogs.itemKey(0)).replaceAll(".*transaction (\\d+).*", "$1"),
        lines.get(ShopLogs.lineKey(0, "t")).replaceAll(".*\"n\": (\\d+),.*", "$1"));
  }

  @Test
  void shouldEndEqualToTheTables_fromZeroAndFollowing() {
    loop(7, false);
    for (int round = 0; round < 15; round++) {
      // Given
      logs.transact(random, 1 + random.nextInt(20), KEYS);
      if (round % 4 == 3) {
        logs.clean();
      }
      // When
      catchUp();
      // Then
      assertEqualToTheTables();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 50, 10_000})
  void shouldStopOnlyWhereAllTablesAreOfOneCommit_whateverWasCleaned(int rows) {
    // Given
    logs.transact(random, 20, KEYS);
    loop(rows, false);
    catchUp();
    List<List<String>> stops = new ArrayList<>();
    target.afterApply = () -> {
      if (TargetPosition.parse(target.stored).whole()) {
        stops.add(transactions());
      }
    };

    // When
    for (int round = 0; round < 6; round++) {
      logs.transact(random, 40, KEYS);
      if (round % 3 == 1) {
        logs.clean();
      }
      catchUp();
    }

    // Then
    assertThat(stops).as("seed %d", seed).isNotEmpty()
        .allSatisfy(pair -> assertThat(pair.get(0)).isEqualTo(pair.get(1)));
    assertEqualToTheTables();
  }

  @Test
  void shouldTakeTransactionsOneByOne_whereNothingWasCleaned() {
    // Given
    logs.transact(random, 1, KEYS);
    loop(1, false);
    catchUp();
    List<String> seen = new ArrayList<>();
    target.afterApply = () -> {
      if (TargetPosition.parse(target.stored).whole()) {
        seen.add(transactions().get(0));
      }
    };

    // When
    logs.transact(random, 30, KEYS);
    catchUp();

    // Then
    List<String> all = new ArrayList<>();
    for (int i = 2; i <= 31; i++) {
      all.add(Integer.toString(i));
    }
    assertThat(seen).isEqualTo(all);
  }

  @Test
  void shouldEndEqualToTheTables_whateverCallFails() {
    // Given
    logs.transact(random, 60, KEYS);
    for (int failing = 0; failing < 25; failing++) {
      target.callsUntilFailure = failing;
      loop(9, false);
      for (int attempt = 0; attempt < 2; attempt++) {
        try {
          // When
          catchUp();
        } catch (TargetException e) {
          assertThat(e.isRetryable()).isTrue();
          loop.reconnect();
        }
      }
      target.callsUntilFailure = -1;
      catchUp();

      // Then
      assertEqualToTheTables();
      logs.transact(random, 4, KEYS);
    }
  }

  @Test
  void shouldShowNothing_beforeItIsComplete() {
    // Given
    logs.transact(random, 200, 500);
    loop(10, false);
    target.afterApply = () -> {
      if (target.published.isEmpty()) {
        assertThat(target.rows(ShopLogs.ITEMS_TOPIC)).isNull();
      } else {
        assertEqualToTheTables();
      }
    };

    // When
    Outcome outcome = loop.runOnce();

    // Then
    assertThat(outcome).isEqualTo(Outcome.MOVED);
    assertThat(target.applies).isGreaterThan(10);
    assertEqualToTheTables();
  }

  @Test
  void shouldBuildBeside_whenDeletesAfterItsPositionHaveBeenCleanedAway() {
    // Given
    logs.transact(random, 50, KEYS);
    loop(100, false);
    catchUp();
    loop.close();
    loop = null;
    logs.deleteAll();
    logs.clean();
    said.clear();

    // When
    loop(100, false);
    catchUp();

    // Then
    assertThat(said).hasSize(2)
        .allMatch(line -> line.contains("have been cleaned away, so that going on would keep rows that were deleted"));
    assertThat(target.published).containsEntry(ShopLogs.ITEMS_TOPIC, 2).containsEntry(ShopLogs.LINES_TOPIC, 2);
    assertEqualToTheTables();
  }

  @Test
  void shouldRefuse_whenDeletesHaveBeenCleanedAwayAndItCannotBuildBeside() {
    // Given
    target = new MemoryTarget(false);
    logs.transact(random, 50, KEYS);
    loop(100, false);
    catchUp();
    loop.close();
    loop = null;
    logs.deleteAll();
    logs.clean();

    // When
    loop(100, false);
    assertThatThrownBy(loop::runOnce)
        // Then
        .isInstanceOf(TargetException.class)
        .hasMessageMatching("memory: it stands at offset \\d+, and deletes up to offset \\d+ have been"
            + " cleaned away, so that going on would keep rows that were deleted; empty it");
  }

  @Test
  void shouldRefuseToStartAtZero_whenTheTargetIsNotEmpty_unlessAskedToReplace() {
    // Given
    logs.transact(random, 5, KEYS);
    target.buildings.put(ShopLogs.ITEMS_TOPIC + "#0", Map.of("ghost", "row"));

    // When
    loop(100, false);
    assertThatThrownBy(loop::runOnce)
        // Then
        .isInstanceOf(TargetException.class)
        .hasMessage("memory: it holds shop.items already and no position of this replay, so that a"
            + " start at zero would keep rows that are not in the table; empty it");

    // When
    loop(100, true);
    catchUp();

    // Then
    assertEqualToTheTables();
  }

  @Test
  void shouldBuildAgain_whenWhatWasReplayedIsGone() {
    // Given
    logs.transact(random, 5, KEYS);
    loop(100, false);
    catchUp();
    target.buildings.clear();

    // When
    loop(100, false);
    catchUp();

    // Then
    assertEqualToTheTables();
  }

  @Test
  void shouldSayAStoppedTable_andLeaveOutOneThatIsBeingRead() {
    // Given
    logs.transact(random, 5, KEYS);
    logs.snapshotting(ShopLogs.LINES, false);
    logs.stop(ShopLogs.ITEMS, "it was altered");
    loop(100, false);

    // When
    catchUp();

    // Then
    assertThat(said).contains("stopped shop.items: it was altered", "not complete shop.lines");
    assertThat(target.rows(ShopLogs.ITEMS_TOPIC)).isEqualTo(logs.items());
    assertThat(target.rows(ShopLogs.LINES_TOPIC)).isNull();

    // When
    logs.snapshotting(ShopLogs.LINES, true);
    catchUp();

    // Then
    assertEqualToTheTables();
  }

  @Test
  void shouldTakeALargeTransactionInPieces_andCallOnlyTheLastOneWhole() {
    // Given
    logs.transact(random, 1, KEYS);
    loop(100, false);
    catchUp();
    List<Boolean> whole = new ArrayList<>();
    target.afterApply = () -> whole.add(TargetPosition.parse(target.stored).whole());

    // When
    logs.fill(950);
    catchUp();

    // Then
    assertThat(whole).hasSizeGreaterThan(9).last().isEqualTo(true);
    assertThat(whole.subList(0, whole.size() - 1)).containsOnly(false);
    assertEqualToTheTables();
  }

  @Test
  void shouldGiveUpAtOnce_whenTheTargetRefuses() {
    // Given
    logs.transact(random, 1, KEYS);
    target.isRefusing = true;
    ReplayRun run = new ReplayRun(loop(10, false), ReplayListener.NONE, wait -> false, 5);

    // When
    assertThatThrownBy(() -> run.run(true))
        // Then
        .isInstanceOf(TargetException.class).hasMessage("no");
  }

  @Test
  void shouldTryAgainWithGrowingPauses_andGiveUpAfterSoManyAttempts() {
    // Given
    logs.transact(random, 1, KEYS);
    MemoryTarget gone = new MemoryTarget(true);
    target = gone;
    List<Long> pauses = new ArrayList<>();
    ReplayRun run = new ReplayRun(loop(10, false), ReplayListener.NONE, wait -> {
      pauses.add(wait.toMillis());
      gone.callsUntilFailure = 0;
      return false;
    }, 4);

    // When
    assertThatThrownBy(() -> run.run(false)).isInstanceOf(TargetException.class);

    // Then
    assertThat(pauses.stream().filter(pause -> pause > 0)).containsExactly(1_000L, 2_000L, 4_000L);
  }
}
