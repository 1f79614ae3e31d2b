package dev.rowlog.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.engine.FormatPage;
import dev.rowlog.engine.segment.index.OffsetIndex;
import dev.rowlog.engine.segment.index.TimeIndex;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.storage.internals.log.OffsetPosition;
import org.apache.kafka.storage.internals.log.TimestampOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds docs/format/segment.md to Kafka's own index classes. */
class SegmentFormatPageTest {
  private static final long BASE_OFFSET = 4096;
  private static final FormatPage PAGE = FormatPage.read("segment.md");

  @TempDir
  Path directory;

  @Test
  void shouldBeReadByKafkaAsAnOffsetIndex() throws Exception {
    // Given
    Path file = Files.write(directory.resolve("00000000000000004096.index"), PAGE.hex(0));

    // When
    try (var index = new org.apache.kafka.storage.internals.log.OffsetIndex(file.toFile(), BASE_OFFSET, 8, false)) {
      // Then
      assertThat(index.lookup(4210)).isEqualTo(new OffsetPosition(4210, 18432));
    }
  }

  @Test
  void shouldBeReadByKafkaAsATimeIndex() throws Exception {
    // Given
    Path file = Files.write(directory.resolve("00000000000000004096.timeindex"), PAGE.hex(1));

    // When
    try (var index = new org.apache.kafka.storage.internals.log.TimeIndex(file.toFile(), BASE_OFFSET, 12, false)) {
      // Then
      assertThat(index.lookup(1_767_225_600_000L)).isEqualTo(new TimestampOffset(1_767_225_600_000L, 4210));
    }
  }
}
