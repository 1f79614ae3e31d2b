package dev.rowlog.engine.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.TopicPartition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.storage.internals.log.AbortedTxn;
import org.apache.kafka.storage.internals.log.TransactionIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that Kafka's transactional producers wrote, as a consumer with isolation level read_committed sees them. */
class KafkaTransactionsTest {
  private static final TopicPartition LOG = TopicPartition.of("payments");

  @TempDir
  Path directory;

  @Test
  void shouldSkipControlBatchesAndAbortedTransactions() throws Exception {
    // Given
    Path folder = Files.createDirectories(directory.resolve("payments-0"));
    try (FileRecords log = FileRecords.open(folder.resolve("00000000000000000000.log").toFile())) {
      log.append(data(0, 1, "kept-1"));
      log.append(data(1, 2, "aborted-1"));
      log.append(data(2, 1, "kept-2"));
      log.append(marker(3, 1, ControlRecordType.COMMIT));
      log.append(data(4, 2, "aborted-2"));
      log.append(marker(5, 2, ControlRecordType.ABORT));
      log.append(data(6, 2, "kept-3"));
      log.append(marker(7, 2, ControlRecordType.COMMIT));
    }
    TransactionIndex index = new TransactionIndex(0, folder.resolve("00000000000000000000.txnindex").toFile());
    index.append(new AbortedTxn(2, 1, 5, 6));
    index.close();

    // When
    List<String> values = new ArrayList<>();
    try (DirectoryReader reader = DirectoryReader.open(new NioDisk(), directory);
        LogCursor cursor = reader.cursor(LOG, 0)) {
      while (cursor.next()) {
        values.add(new String(cursor.record().value(), UTF_8));
      }
      // Then
      assertThat(cursor.endOffset()).isEqualTo(8);
      assertThat(cursor.position()).isEqualTo(8);
    }
    assertThat(values).containsExactly("kept-1", "kept-2", "kept-3");
  }

  private static MemoryRecords data(long offset, long producerId, String value) {
    return MemoryRecords.withTransactionalRecords(
        offset, Compression.NONE, producerId, (short) 0, 0, 0,
        new SimpleRecord(1_000 + offset, "key".getBytes(UTF_8), value.getBytes(UTF_8)));
  }

  private static MemoryRecords marker(long offset, long producerId, ControlRecordType type) {
    return MemoryRecords.withEndTransactionMarker(
        offset, 1_000 + offset, 0, producerId, (short) 0, new EndTransactionMarker(type, 0));
  }
}
