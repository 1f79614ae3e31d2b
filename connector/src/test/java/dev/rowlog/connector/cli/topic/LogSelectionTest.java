package dev.rowlog.connector.cli.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.TopicPartition;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogSelectionTest {
  private static final Path DIRECTORY = Path.of("data");
  private static final List<TopicPartition> PRESENT = List.of(
      new TopicPartition("orders", 0), new TopicPartition("orders", 3), new TopicPartition("a-1", 0),
      new TopicPartition("a", 1));

  @Test
  void shouldTakePartitionZeroOfATopic() {
    assertThat(find("orders", null)).isEqualTo(new TopicPartition("orders", 0));
  }

  @Test
  void shouldTakeThePartitionOfTheFlagOrTheFoldersName() {
    assertThat(find("orders", 3)).isEqualTo(new TopicPartition("orders", 3));
    assertThat(find("orders-3", null)).isEqualTo(new TopicPartition("orders", 3));
  }

  @Test
  void shouldPreferATopicsNameToAFolders() {
    assertThat(find("a-1", null)).isEqualTo(new TopicPartition("a-1", 0));
  }

  @Test
  void shouldNameTheNearestTopic() {
    assertThatThrownBy(() -> find("order", null)).isInstanceOf(UnknownTopicException.class)
        .hasMessage("no topic order in data: did you mean orders?");
  }

  @Test
  void shouldNameThePartitionsThatAreThere() {
    assertThatThrownBy(() -> find("orders", 2)).hasMessageContaining("has no partition 2; it has [0, 3]");
    assertThatThrownBy(() -> find("a", null)).hasMessageContaining("has no partition 0; it has [1]");
  }

  private static TopicPartition find(String name, Integer partition) {
    return LogSelection.find(name, partition, PRESENT, DIRECTORY);
  }
}
