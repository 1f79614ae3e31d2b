package dev.rowlog.connector.kill;

import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.LogCursor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/** What a reader beside the process sees. */
final class Logs {
  private Logs() {}

  static void forEach(Path data, String topic, Consumer<Record> reader) {
    try (DirectoryReader directory = DirectoryReader.open(new NioDisk(), data);
        LogCursor cursor = directory.cursor(TopicPartition.of(topic), 0)) {
      while (cursor.next()) {
        reader.accept(cursor.record());
      }
    }
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static String header(Record record, String name) {
    for (Header header : record.headers()) {
      if (header.key().equals(name)) {
        return text(header.value());
      }
    }
    throw new AssertionError("no header " + name + " at offset " + record.offset());
  }
}
