package dev.rowlog.connector.mirror;

import java.util.List;
import java.util.Map;

/**
 * One complete pass, at once.
 *
 * @param topics logs to clean; empty for every compacted one that is not Rowlog's own
 * @param roll close the active segment first
 * @param set Kafka's topic keys and {@code log.cleaner.*} keys for this pass only
 */
public record CleanRequest(List<String> topics, boolean roll, Map<String, String> set) {
  private static final String INTERNAL_PREFIX = "__rowlog_";

  public CleanRequest {
    topics = List.copyOf(topics);
    set = Map.copyOf(set);
  }

  /** True for a topic that is named; where none is, for all but Rowlog's own, which the background cleaner looks after. */
  public boolean covers(String topic) {
    return topics.isEmpty() ? !topic.startsWith(INTERNAL_PREFIX) : topics.contains(topic);
  }
}
