package dev.rowlog.connector.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.embedded.EmbeddedWorkerConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommittedOffsetStoreTest {
  private static final ByteBuffer KEY = buffer("[\"rowlog\",{\"server\":\"rowlog\"}]");

  private static ByteBuffer buffer(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static CommittedOffsetStore store(long lsn) {
    CommittedOffsetStore store = new CommittedOffsetStore();
    store.configure(new EmbeddedWorkerConfig(new HashMap<>(Map.of(CommittedOffsetStore.POSITION, Long.toString(lsn)))));
    return store;
  }

  private static String get(CommittedOffsetStore store) throws Exception {
    return StandardCharsets.UTF_8.decode(store.get(List.of(KEY)).get().get(KEY)).toString();
  }

  @Test
  void shouldAnswerTheLastCommitUntilDebeziumSetsAnOffsetOfItsOwn() throws Exception {
    // Given
    CommittedOffsetStore store = store(42_628_616L);

    // When
    String first = get(store);
    String again = get(store);
    store.set(Map.of(KEY, buffer("{\"lsn\":2,\"lsn_commit\":2}")), null).get();
    String later = get(store);

    // Then
    assertThat(first).isEqualTo("{\"lsn\":42628616}").isEqualTo(again);
    assertThat(later).isEqualTo("{\"lsn\":2,\"lsn_commit\":2}");
  }
}
