package dev.rowlog.connector.cli.read;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.engine.record.RecordBatchDecoder;

/** Counts what a replay read, and its digest. One thread. */
final class ReplaySummary {
  private final String topic;
  private final ReplayDigest digest = new ReplayDigest();
  private final DistinctKeys keys;
  private long records;
  private long tombstones;
  private long bytes;
  private long firstOffset = -1;
  private long lastOffset = -1;

  ReplaySummary(String topic, long seed) {
    this.topic = topic;
    this.keys = new DistinctKeys(seed);
  }

  void add(RecordBatchDecoder current) {
    records++;
    tombstones += current.valueLength() < 0 ? 1 : 0;
    bytes += Math.max(current.keyLength(), 0) + Math.max(current.valueLength(), 0);
    firstOffset = firstOffset < 0 ? current.offset() : firstOffset;
    lastOffset = current.offset();
    keys.add(current.data(), current.keyPosition(), current.keyLength());
    digest.add(current);
  }

  /**
   * Ends the summary. {@code bytes} are those of keys and values; offsets are null where no record was read.
   */
  ObjectNode finish(long elapsedMs) {
    ObjectNode json = JsonNodeFactory.instance.objectNode()
        .put("topic", topic)
        .put("records", records)
        .put("tombstones", tombstones)
        .put("keys", keys.count())
        .put("bytes", bytes)
        .put("first_offset", firstOffset < 0 ? null : (Long) firstOffset)
        .put("last_offset", lastOffset < 0 ? null : (Long) lastOffset)
        .put("elapsed_ms", elapsedMs);
    return json.put("digest", digest.finish());
  }
}
