package dev.rowlog.connector.cli.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.log.TopicPartition;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

  @Test
  void shouldTakeATablesName_alsoWhereItsTopicHasAnother() {
    Map<TableId, String> tables = Map.of(new TableId("public", "orders"), "shop.public.orders",
        new TableId("public", "odd name"), "shop.public.odd_name-0123456789abcdef", new TableId("a", "twice"),
        "shop.a.twice",
        new TableId("b", "twice"), "shop.b.twice");
    List<TopicPartition> present = tables.values().stream().map(TopicPartition::of).toList();

    for (String name : List.of("public.orders", "orders", "shop.public.orders")) {
      assertThat(LogSelection.find(name, null, present, DIRECTORY, () -> tables).topic())
          .isEqualTo("shop.public.orders");
    }
    for (String name : List.of("public.odd name", "public.\"odd name\"")) {
      assertThat(LogSelection.find(name, null, present, DIRECTORY, () -> tables).topic())
          .isEqualTo("shop.public.odd_name-0123456789abcdef");
    }
    assertThatThrownBy(() -> LogSelection.find("twice", null, present, DIRECTORY, () -> tables))
        .hasMessageContaining("more than one table").hasMessageContaining("shop.a.twice");
    assertThatThrownBy(() -> LogSelection.find("public.ordesr", null, present, DIRECTORY, () -> tables))
        .hasMessageContaining("did you mean public.orders?");
  }

  private static TopicPartition find(String name, Integer partition) {
    return LogSelection.find(name, partition, PRESENT, DIRECTORY, Map::of);
  }
}
