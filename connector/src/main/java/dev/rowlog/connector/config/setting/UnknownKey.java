package dev.rowlog.connector.config.setting;

import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.key.TargetKeys;
import dev.rowlog.engine.log.config.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What to say about a key that is not there: the nearest one, or why a key of Kafka has no use here. */
final class UnknownKey {
  private static final Map<String, String> OF_KAFKA = Map.of(
      "topic.max.message.bytes", "mirrored logs take rows of any size, so there is no limit to set",
      "topic.message.timestamp.type", "a record's time is always the commit time of its source transaction",
      "topic.min.insync.replicas", "a local log has no replicas",
      "topic.flush.messages", "every commit is made durable",
      "topic.flush.ms", "every commit is made durable",
      "topic.preallocate", "segments grow as they are written",
      "topic.unclean.leader.election.enable", "a local log has no replicas",
      "topic.segment.jitter.ms", "there is one writer, so segments need no jitter",
      "log.cleaner.threads", "one thread cleans; it keeps up with the disk");

  private UnknownKey() {}

  static String message(Setting setting) {
    String reason = OF_KAFKA.get(setting.key());
    if (reason != null) {
      return setting.key() + " is a key of Kafka that Rowlog does not have: " + reason + " (from " + setting.origin()
          + ")";
    }
    List<String> names = new ArrayList<>(TargetKeys.candidates(setting.key()));
    ConfigKeys.all().forEach(key -> names.add(key.name()));
    String hint = NearestName.of(setting.key(), names)
        .map(name -> "did you mean " + name + "?")
        .orElse("'rowlog config show' lists the keys");
    return "unknown key " + setting.key() + " (from " + setting.origin() + "): " + hint;
  }
}
