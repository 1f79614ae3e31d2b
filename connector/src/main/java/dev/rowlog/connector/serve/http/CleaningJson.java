package dev.rowlog.connector.serve.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.mirror.CleanedLog;
import dev.rowlog.connector.mirror.CleaningResult;
import dev.rowlog.connector.mirror.UncleanedLog;
import dev.rowlog.engine.cleaner.CleaningReport;
import dev.rowlog.engine.log.TopicPartition;
import java.util.concurrent.TimeUnit;

/**
 * A requested pass as {@code clean run --json} and {@code POST /api/v1/clean} print it. Pure.
 */
public final class CleaningJson {
  private CleaningJson() {}

  /** A log whose pass failed has only {@code topic}, {@code partition} and {@code error}. */
  public static ObjectNode of(CleaningResult result) {
    return result instanceof CleanedLog cleaned
        ? of(cleaned)
        : named(result.log()).put("error", ((UncleanedLog) result).error());
  }

  private static ObjectNode named(TopicPartition log) {
    return JsonNodeFactory.instance.objectNode().put("topic", log.topic()).put("partition", log.partition());
  }

  /**
   * {@code cpu_ms} is of the whole process during the pass; {@code records_left_out} is what {@code --roll} would
   * have brought in.
   */
  private static ObjectNode of(CleanedLog cleaned) {
    CleaningReport report = cleaned.report();
    return named(report.log())
        .put("first_dirty_offset", report.firstDirtyOffset())
        .put("end_offset", report.endOffset())
        .put("records_in", report.recordsIn())
        .put("records_out", report.recordsOut())
        .put("bytes_read", report.bytesRead())
        .put("bytes_written", report.bytesWritten())
        .put("bytes_before", report.bytesBefore())
        .put("bytes_after", report.bytesAfter())
        .put("tombstones_kept", report.tombstonesKept())
        .put("tombstones_removed", report.tombstonesRemoved())
        .put("records_without_key", report.recordsWithoutKey())
        .put("records_left_out", report.recordsLeftOut())
        .put("map_use", report.mapUse())
        .put("wall_ms", TimeUnit.NANOSECONDS.toMillis(report.wallNanos()))
        .put("cpu_ms", TimeUnit.NANOSECONDS.toMillis(cleaned.cpuNanos()));
  }
}
