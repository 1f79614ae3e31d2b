package dev.rowlog.connector.mirror;

import java.util.List;
import java.util.Map;

/**
 * One complete pass, at once.
 *
 * @param topics logs to clean; empty for every compacted one
 * @param roll close the active segment first
 * @param set Kafka's topic keys and {@code log.cleaner.*} keys for this pass only
 */
public record CleanRequest(List<String> topics, boolean roll, Map<String, String> set) {
  public CleanRequest {
    topics = List.copyOf(topics);
    set = Map.copyOf(set);
  }
}
