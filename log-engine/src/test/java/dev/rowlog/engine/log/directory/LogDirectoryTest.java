package dev.rowlog.engine.log.directory;

import static dev.rowlog.engine.log.LogFixture.ORDERS;
import static dev.rowlog.engine.log.LogFixture.appendMany;
import static dev.rowlog.engine.log.LogFixture.config;
import static dev.rowlog.engine.log.LogFixture.create;
import static dev.rowlog.engine.log.LogFixture.load;
import static dev.rowlog.engine.log.LogFixture.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlog.engine.Seeds;
import dev.rowlog.engine.disk.NioDisk;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.DirectoryInUseException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.HighWatermark;
import dev.rowlog.engine.log.LogFixture;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicId;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.storage.internals.checkpoint.CleanShutdownFileHandler;
import org.apache.kafka.storage.internals.checkpoint.PartitionMetadataFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirectoryTest {
  private static final TopicPartition OTHER = TopicPartition.of("other");
  private static final String MARKER = ".kafka_cleanshutdown";

  @TempDir
  Path root;

  private final NioDisk disk = new NioDisk();

  @Test
  void shouldBeOpenOnlyOnce() {
    try (LogDirectory directory = open(disk, root)) {
      assertThat(directory.root()).isEqualTo(root);
      assertThatThrownBy(() -> open(disk, root)).isInstanceOf(DirectoryInUseException.class)
          .hasMessageContaining(root.toString());
    }
    open(disk, root).close();
  }

  @Test
  void shouldCreateAMissingFolderWithItsParents() {
    Path deep = root.resolve("a/b");
    try (LogDirectory directory = open(disk, deep)) {
      assertThat(directory.partitions()).isEmpty();
    }
    assertThat(deep.resolve("meta.properties")).content().contains("version=0", "rowlog.format.version=1");
  }

  @Test
  void shouldWriteFilesOfIdentityThatKafkaReads() throws IOException {
    // Given
    TopicId id;
    try (LogDirectory directory = open(disk, root)) {
      id = create(directory, config()).topicId();
    }
    // When, then
    PartitionMetadataFile metadata = new PartitionMetadataFile(root.resolve("orders-0/partition.metadata").toFile(),
        null);
    assertThat(metadata.read().topicId()).isEqualTo(Uuid.fromString(id.toString()));
    assertThat(new CleanShutdownFileHandler(root.toString()).exists()).isTrue();
    assertThat(new CleanShutdownFileHandler(root.toString()).read()).hasValue(-1);
    Properties properties = new Properties();
    try (BufferedReader reader = Files.newBufferedReader(root.resolve("meta.properties"))) {
      properties.load(reader);
    }
    assertThat(new MetaProperties.Builder(properties).build().version().number()).isZero();
    try (LogDirectory directory = open(disk, root)) {
      assertThat(load(directory, config()).topicId()).isEqualTo(id);
    }
  }

  @Test
  void shouldRefuseANewerFormat() throws IOException {
    Files.writeString(root.resolve("meta.properties"), "version=1\nrowlog.format.version=2\n");
    assertThatThrownBy(() -> open(disk, root))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("rowlog.format.version is '2', this program reads versions up to 1");
    Files.writeString(root.resolve("meta.properties"), "version=2\n");
    assertThatThrownBy(() -> open(disk, root)).isInstanceOf(UnsupportedFormatException.class);
  }

  @Test
  void shouldLeaveKafkasMetaPropertiesAlone() throws IOException {
    String kafka = "#Thu Jan 01\nnode.id=1\nversion=1\ncluster.id=x\n";
    Files.writeString(root.resolve("meta.properties"), kafka);
    open(disk, root).close();
    assertThat(root.resolve("meta.properties")).hasContent(kafka);
  }

  @Test
  void shouldTakeTheMarkOfACleanStopAwayWhileItIsOpen() {
    open(disk, root).close();
    assertThat(root.resolve(MARKER)).exists();
    try (LogDirectory directory = open(disk, root)) {
      assertThat(directory.logs()).isEmpty();
      assertThat(root.resolve(MARKER)).doesNotExist();
    }
    assertThat(root.resolve(MARKER)).exists();
  }

  @Test
  void shouldNotVouchForALogThatItHasNotOpenedAfterAnUncleanStop() throws IOException {
    // Given
    try (LogDirectory directory = open(disk, root)) {
      create(directory, config());
      directory.create(OTHER, config(), HighWatermark.followingLogEnd());
    }
    Files.delete(root.resolve(MARKER));
    // When
    try (LogDirectory directory = open(disk, root)) {
      load(directory, config());
    }
    // Then
    assertThat(root.resolve(MARKER)).doesNotExist();
    try (LogDirectory directory = open(disk, root)) {
      load(directory, config());
      directory.load(OTHER, config(), LogFixture.LOG_END, HighWatermark.followingLogEnd());
    }
    assertThat(root.resolve(MARKER)).exists();
  }

  @Test
  void shouldKeepCheckpointsOfLogsThatAreNotLoaded() {
    // Given
    try (LogDirectory directory = open(disk, root)) {
      appendMany(create(directory, config()), 12);
      appendMany(directory.create(OTHER, config(), HighWatermark.followingLogEnd()), 3);
    }
    // When
    try (LogDirectory directory = open(disk, root)) {
      appendMany(load(directory, config()), 1);
      directory.writeCheckpoints();
      // Then
      assertThat(directory.checkpoint(OffsetCheckpoint.RECOVERY_POINT).read())
          .isEqualTo(Map.of(ORDERS, 12L, OTHER, 3L));
      assertThat(directory.checkpoint(OffsetCheckpoint.REPLICATION_OFFSET).read())
          .isEqualTo(Map.of(ORDERS, 13L, OTHER, 3L));
      assertThat(directory.checkpoint(OffsetCheckpoint.LOG_START).read()).isEqualTo(Map.of(ORDERS, 0L, OTHER, 0L));
    }
  }

  @Test
  void shouldForgetCheckpointsOfAnEarlierLogOfThatName() {
    try (LogDirectory directory = open(disk, root)) {
      directory.checkpoint(OffsetCheckpoint.CLEANER_OFFSET).write(Map.of(ORDERS, 99L, OTHER, 5L));
      create(directory, config());
      assertThat(directory.checkpoint(OffsetCheckpoint.CLEANER_OFFSET).read()).isEqualTo(Map.of(OTHER, 5L));
    }
  }

  @Test
  void shouldKeepTheConfigurationOfALog() {
    LogConfig stored = config("retention.bytes", "77");
    try (LogDirectory directory = open(disk, root)) {
      PartitionLog log = create(directory, config());
      assertThat(directory.storedConfig(ORDERS)).contains(config());
      directory.storeConfig(ORDERS, stored);
      assertThat(log.config()).isEqualTo(stored);
    }
    try (LogDirectory directory = open(disk, root)) {
      assertThat(directory.storedConfig(ORDERS)).contains(stored);
    }
  }

  @Test
  void shouldSayThatALogIsNotThere() {
    try (LogDirectory directory = open(disk, root)) {
      assertThatThrownBy(() -> load(directory, config())).isInstanceOf(UnknownTopicException.class)
          .hasMessageContaining("orders-0");
    }
  }

  @Test
  void shouldFinishACreationThatWasCutShort() throws IOException {
    // Given
    Path folder = Files.createDirectories(root.resolve("orders-0"));
    Files.writeString(folder.resolve("topic.properties"), "segment.bytes=14\n");
    Files.writeString(folder.resolve("00000000000000000000.log"), "half");
    // When
    try (LogDirectory directory = open(disk, root)) {
      assertThat(directory.partitions()).isEmpty();
      appendMany(create(directory, config()), 2);
      // Then
      assertThat(directory.partitions()).containsExactly(ORDERS);
      assertThat(directory.log(ORDERS)).map(PartitionLog::logEndOffset).contains(2L);
    }
  }

  @Test
  void shouldRefuseATopicIdThatCannotBeRead() throws IOException {
    try (LogDirectory directory = open(disk, root)) {
      create(directory, config());
    }
    Files.writeString(root.resolve("orders-0/partition.metadata"), "version: 0\ntopic_id: short\n");
    try (LogDirectory directory = open(disk, root)) {
      assertThatThrownBy(() -> load(directory, config())).isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("topic id 'short'");
    }
  }

  @Test
  void shouldPrintTopicIdsAsKafkaDoes() {
    Seeds.forEach(50, random -> {
      TopicId id = TopicId.random(random);
      Uuid kafka = new Uuid(id.mostSignificantBits(), id.leastSignificantBits());
      assertThat(id).hasToString(kafka.toString());
      assertThat(TopicId.parse(kafka.toString())).isEqualTo(id);
      assertThat(id.toString()).doesNotStartWith("-");
    });
  }
}
