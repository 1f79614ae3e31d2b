package dev.rowlog.connector.serve.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.mirror.CleanedLog;

/**
 * A requested pass as {@code clean run --json} and {@code POST /api/v1/clean} print it: {@code topic}, {@code records_in}, {@code records_out},
 * {@code bytes_read}, {@code bytes_written}, {@code tombstones_kept}, {@code tombstones_removed}, {@code map_use}, {@code wall_ms}, {@code cpu_ms}
 * and more. Pure.
 */
public final class CleaningJson {
  private CleaningJson() {}

  public static ObjectNode of(CleanedLog cleaned) {
    throw new UnsupportedOperationException("skeleton");
  }
}
