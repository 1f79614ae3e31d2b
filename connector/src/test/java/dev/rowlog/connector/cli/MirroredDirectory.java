package dev.rowlog.connector.cli;

import dev.rowlog.connector.options.Environment;
import dev.rowlog.engine.EngineOptions;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.CleanerConfig;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.Compression;
import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A data directory as a mirror writes it, open for more. */
public final class MirroredDirectory implements AutoCloseable {
  public static final long BASE_TIME = CommandRun.CLOCK.millis() - 1_000_000;

  private final LogEngine engine;

  private MirroredDirectory(LogEngine engine) {
    this.engine = engine;
  }

  public static MirroredDirectory open(Path directory) {
    Environment environment = CommandRun.environment();
    EngineOptions options = new EngineOptions(directory, LogConfig.defaults(),
        CleanerConfig.defaults().with("log.cleaner.enable", "false"), true);
    return new MirroredDirectory(LogEngine.open(options, environment.disk(), environment.clock(),
        environment.nanoClock(), environment.random()));
  }

  /** Each of {@code key=value}, or {@code key} for a tombstone, in a batch of its own; then one commit. */
  public MirroredDirectory write(String topic, String... entries) {
    PartitionLog log = engine.createIfMissing(TopicPartition.of(topic), LogConfig.defaults());
    for (String entry : entries) {
      RecordBatchEncoder batch = new RecordBatchEncoder(Compression.NONE);
      batch.begin();
      int equals = entry.indexOf('=');
      byte[] key = utf8(equals < 0 ? entry : entry.substring(0, equals));
      byte[] value = equals < 0 ? null : utf8(entry.substring(equals + 1));
      batch.add(BASE_TIME + log.logEndOffset(), key, value,
          List.of(new Header("__op", utf8(value == null ? "d" : "u"))));
      log.append(batch);
    }
    engine.commit(Map.of(TopicPartition.of(topic), log.logEndOffset()), utf8("{}"));
    return this;
  }

  public MirroredDirectory roll(String topic) {
    engine.log(TopicPartition.of(topic)).orElseThrow().roll();
    return this;
  }

  public MirroredDirectory clean(String topic) {
    engine.cleaner().clean(engine.log(TopicPartition.of(topic)).orElseThrow());
    return this;
  }

  @Override
  public void close() {
    engine.close();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
