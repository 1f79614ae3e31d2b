package dev.rowlog.connector.session;

import dev.rowlog.connector.change.SourcePosition;
import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.options.RowlogOptions;
import dev.rowlog.connector.sink.StoppedTables;
import dev.rowlog.connector.table.SchemaLog;
import dev.rowlog.engine.LogEngine;
import dev.rowlog.engine.log.PartitionLog;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.log.config.LogConfig;
import dev.rowlog.engine.record.RecordBatchEncoder;
import java.util.Map;

/** The logs of a mirror: one a table, and those of its own. The mirror's thread. */
final class MirrorLogs {
  private final LogEngine engine;
  private final LogConfig tableConfig;
  private final PartitionLog schemas;
  private final PartitionLog status;

  private MirrorLogs(LogEngine engine, LogConfig tableConfig, PartitionLog schemas, PartitionLog status) {
    this.engine = engine;
    this.tableConfig = tableConfig;
    this.schemas = schemas;
    this.status = status;
  }

  static MirrorLogs open(LogEngine engine, RowlogOptions options) {
    LogConfig own = LogConfig.defaults();
    return new MirrorLogs(engine, options.topic(), engine.createIfMissing(SchemaLog.LOG, own),
        engine.createIfMissing(TopicPartition.of(StoppedTables.TOPIC), own));
  }

  PartitionLog schemas() {
    return schemas;
  }

  PartitionLog status() {
    return status;
  }

  /** Created where it is missing. */
  PartitionLog table(String topic) {
    return engine.createIfMissing(TopicPartition.of(topic), tableConfig);
  }

  /** Makes stops durable at a position that does not move: from here on these tables miss changes. */
  void commitStops(Map<TableId, String> stops, SourcePosition position, long timestampMs) {
    if (stops.isEmpty()) {
      return;
    }
    RecordBatchEncoder batch = new RecordBatchEncoder(status.config().compression());
    batch.begin();
    stops.forEach((table, reason) -> {
      dev.rowlog.engine.record.Record stop = StoppedTables.record(table, reason, position.lsn(), timestampMs);
      batch.add(stop.timestamp(), stop.key(), stop.value(), stop.headers());
    });
    status.append(batch);
    engine.commit(Map.of(status.topicPartition(), status.logEndOffset()), position.toBytes());
  }
}
