package dev.rowlog.engine.log.directory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.disk.CrashPoints;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.disk.SimulatedDisk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.log.TopicPartition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetCheckpointTest {
  private static final TopicPartition A = TopicPartition.of("a-b.c");
  private static final TopicPartition B = new TopicPartition("b", 12);

  @TempDir
  Path root;

  private OffsetCheckpoint checkpoint() {
    return new OffsetCheckpoint(new NioDisk(), root, OffsetCheckpoint.RECOVERY_POINT);
  }

  private Path file() {
    return root.resolve(OffsetCheckpoint.RECOVERY_POINT);
  }

  @Test
  void shouldBeReadByKafkaAndReadWhatKafkaWrote() throws IOException {
    // Given
    checkpoint().write(Map.of(A, 5L, B, Long.MAX_VALUE));
    OffsetCheckpointFile kafka = new OffsetCheckpointFile(file().toFile(), null);
    // When
    Map<org.apache.kafka.common.TopicPartition, Long> read = kafka.read();
    // Then
    assertThat(read).isEqualTo(
        Map.of(
            new org.apache.kafka.common.TopicPartition("a-b.c", 0), 5L,
            new org.apache.kafka.common.TopicPartition("b", 12), Long.MAX_VALUE));
    kafka.write(Map.of(new org.apache.kafka.common.TopicPartition("b", 12), 7L));
    assertThat(checkpoint().read()).isEqualTo(Map.of(B, 7L));
    assertThat(Utils.readFileAsString(file().toString())).startsWith("0\n1\n");
  }

  @Test
  void shouldBeEmptyWhereTheFileIsMissingOrEmpty() throws IOException {
    assertThat(checkpoint().read()).isEmpty();
    Files.writeString(file(), "");
    assertThat(checkpoint().read()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1\n0\n", "0\n", "0\n2\na 0 5\n", "0\n0\na 0 5\n", "0\n1\na 0\n", "0\n1\na 0 x\n",
      "0\n1\na -1 5\n", "x"})
  void shouldRefuseWhatIsNotACheckpoint(String text) throws IOException {
    Files.writeString(file(), text, UTF_8);
    assertThatThrownBy(() -> checkpoint().read())
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining(OffsetCheckpoint.RECOVERY_POINT);
  }

  @Test
  void shouldHoldTheOldOffsetsOrTheNewOnesAfterACrash() {
    // Given
    SimulatedDisk start = new SimulatedDisk();
    Path folder = Path.of("/");
    new OffsetCheckpoint(start, folder, "c").write(Map.of(A, 1L));
    // When, then
    CrashPoints.forEach(start, () -> new CrashPoints.Run() {
      private long durable = 1;

      @Override
      public void run(SimulatedDisk disk) {
        new OffsetCheckpoint(disk, folder, "c").write(Map.of(A, 2L, B, 3L));
        durable = 2;
      }

      @Override
      public void check(SimulatedDisk rebooted) {
        Map<TopicPartition, Long> read = new OffsetCheckpoint(rebooted, folder, "c").read();
        assertThat(read.get(A)).isBetween(durable, 2L);
        assertThat(read).hasSize(read.get(A).intValue());
      }
    });
  }

  @Test
  void shouldLoseNoEntryWhereTwoWriteEntriesOfDifferentLogs() throws Exception {
    // Given: one object for all, as the directory hands it out
    OffsetCheckpoint checkpoint = checkpoint();
    int count = 200;

    // When: one raises its log's offset while others come and go
    CompletableFuture<Void> raising = CompletableFuture.runAsync(() -> {
      for (long offset = 1; offset <= count; offset++) {
        checkpoint.raise(A, offset);
      }
    });
    for (int i = 0; i < count; i++) {
      checkpoint.put(Map.of(B, (long) i), List.of(A, B));
      checkpoint.remove(B);
    }
    raising.get(1, TimeUnit.MINUTES);

    // Then
    assertThat(checkpoint.read()).isEqualTo(Map.of(A, (long) count));
    checkpoint.raise(A, 1);
    assertThat(checkpoint.read()).as("never lowered").isEqualTo(Map.of(A, (long) count));
  }
}
