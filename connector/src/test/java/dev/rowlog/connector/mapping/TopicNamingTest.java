package dev.rowlog.connector.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.change.TableId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.internals.Topic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicNamingTest {

  @ParameterizedTest
  @CsvSource({"shop,orders,pg.shop.orders", "public,order_items,pg.public.order_items",
      "Shop,ORDERS-1,pg.Shop.ORDERS-1",
      "..,x,pg....x-a2bc302afd45996e", "a.b,c,pg.a.b.c-514f9025a6c3beb7", "a,b.c,pg.a.b.c-6f96db7d079d98f1",
      "sh/op,../etc,pg.sh_op..._etc-0ec9726a574299f7", "\u00fcber,stra\u00dfe,pg._ber.stra_e-6ee7412c93eea455"})
  void shouldNameATopicByPrefixSchemaAndTable(String schema, String table, String topic) {
    // When
    Map<TableId, String> topics = TopicNaming.topics("pg", List.of(new TableId(schema, table)));

    // Then
    assertThat(topics).containsOnly(Map.entry(new TableId(schema, table), topic));
  }

  @Test
  void shouldTellTablesApartThatDifferOnlyInDotsUnderscoresAndCase() {
    // Given
    List<TableId> tables = List.of(new TableId("a_b", "c"), new TableId("a", "b_c"), new TableId("a.b", "c"),
        new TableId("a", "b.c"),
        new TableId("A", "b_c"), new TableId("d", "e"));

    // When
    Map<TableId, String> topics = TopicNaming.topics("pg", tables);

    // Then
    assertThat(topics).hasSize(tables.size()).containsEntry(new TableId("d", "e"), "pg.d.e");
    assertThat(topics.values().stream().map(topic -> topic.replace('.', '_').toLowerCase(Locale.ROOT)))
        .doesNotHaveDuplicates();
    assertThat(topics.get(new TableId("a_b", "c"))).matches("pg\\.a_b\\.c-[0-9a-f]{16}");
  }

  @Test
  void shouldKeepTopicsThatExistWhenATableIsAdded() {
    // Given
    TableId first = new TableId("a_b", "c");
    TableId later = new TableId("a", "b_c");
    Map<TableId, String> existing = TopicNaming.topics("pg", List.of(first));

    // When
    Map<TableId, String> topics = TopicNaming.topics("pg", List.of(later, first), existing);

    // Then
    assertThat(topics).containsEntry(first, "pg.a_b.c");
    assertThat(topics.get(later)).matches("pg\\.a\\.b_c-[0-9a-f]{16}");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 240, 300})
  void shouldGiveNamesThatKafkaAllowsWhateverThePrefixIs(int prefixLength) {
    // Given
    List<TableId> tables = new ArrayList<>();
    for (String name : List.of("x", "a b", "\u0000", "\"", "/", ".", "..", "\ud83d\ude00", "y".repeat(63),
        "z".repeat(63) + "/")) {
      tables.add(new TableId(name, "t"));
      tables.add(new TableId("s", name));
    }

    // When
    Map<TableId, String> topics = TopicNaming.topics("p".repeat(prefixLength), tables);

    // Then
    assertThat(new HashSet<>(topics.values())).hasSameSizeAs(new HashSet<>(tables));
    assertThat(topics.values()).allSatisfy(Topic::validate);
  }
}
