package dev.rowlog.connector.sink;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.connector.mapping.RecordMapper;
import dev.rowlog.engine.log.PartitionLog;
import java.util.Objects;

/**
 * A table whose changes the sink takes.
 *
 * @param log where its records go
 * @param schemaVersion for the headers of records that the sink makes itself
 */
public record MirroredTable(TableId table, PartitionLog log, RecordMapper mapper, int schemaVersion) {
  public MirroredTable {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(log, "log");
    Objects.requireNonNull(mapper, "mapper");
  }

  public String topic() {
    return log.topicPartition().topic();
  }
}
