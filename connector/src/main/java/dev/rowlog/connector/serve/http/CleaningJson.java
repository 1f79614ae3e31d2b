package dev.rowlog.connector.serve.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.mirror.CleanedLog;
import dev.rowlog.engine.cleaner.CleaningReport;
import java.util.concurrent.TimeUnit;

/**
 * A requested pass as {@code clean run --json} and {@code POST /api/v1/clean} print it. Pure.
 */
public final class CleaningJson {
  private CleaningJson() {}

  /**
   * {@code cpu_ms} is of the whole process during the pass; {@code records_left_out} is what {@code --roll} would
   * have brought in.
   */
  public static ObjectNode of(CleanedLog cleaned) {
    CleaningReport report = cleaned.report();
    return JsonNodeFactory.instance.objectNode()
        .put("topic", report.log().topic())
        .put("partition", report.log().partition())
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
