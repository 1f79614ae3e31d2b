package dev.rowlog.connector.cli.topic;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.text.Quantity;
import dev.rowlog.connector.text.WordWrap;
import dev.rowlog.engine.inspect.stats.LogStats;
import dev.rowlog.engine.inspect.stats.SegmentStats;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.DirectoryReader;
import java.io.PrintStream;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topic describe}: offsets, what is live and dead, the configuration. Scans the log once. */
@Command(name = "describe", description = "Describe a topic: offsets, live and dead records, tombstones, cleaning, configuration.", footer = {
    "", "Example:", "  rowlog topic describe shop.public.orders"})
public final class TopicDescribeCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin
  CommonOptions common;

  @Mixin
  private LogOptions which;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  public TopicDescribeCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (DirectoryReader reader = which.open(context)) {
      TopicPartition log = which.find(reader);
      LogInspection inspection = LogInspection.of(reader, log, which.settings(context), context);
      if (json) {
        context.out().println(json(inspection));
      } else {
        print(inspection, context.out(), context.columns());
      }
      return ExitCode.OK;
    }
  }

  private static void print(LogInspection inspection, PrintStream out, int width) {
    LogStats stats = inspection.stats();
    long records = inspection.sum(SegmentStats::records);
    OptionalLong live = inspection.live();
    out.println(stats.log().topic() + (stats.log().partition() == 0 ? "" : " partition " + stats.log().partition()));
    out.println(
        "  offsets     " + stats.logStartOffset() + " to " + stats.highWatermark() + " (exclusive), clean below "
            + stats.firstDirtyOffset());
    out.println("  records     " + Quantity.count(records) + ": " + LogInspection.orUnknown(live) + " live, "
        + (live.isPresent() ? Quantity.count(records - live.getAsLong()) : "?") + " dead; "
        + Quantity.count(inspection.sum(SegmentStats::tombstones), "tombstone"));
    out.println("  size        " + Quantity.bytes(inspection.sum(SegmentStats::sizeBytes)) + " in "
        + Quantity.count(stats.segments().size(), "segment"));
    out.println("  dirty       " + Quantity.percent(stats.dirtyRatio()) + ", cleaned from "
        + Quantity.percent(inspection.config().minCleanableDirtyRatio()));
    stats.segments().stream().map(SegmentStats::whyNotCleaned).filter(why -> !why.isEmpty()).distinct()
        .forEach(why -> out.println(
            "              " + WordWrap.wrap("not cleaned yet: " + why, width - 14, "\n                ")));
    out.println("  config");
    inspection.config().toMap().forEach((key, value) -> out.println("    " + key + "=" + value));
  }

  private static ObjectNode json(LogInspection inspection) {
    LogStats stats = inspection.stats();
    ObjectNode json = JsonNodeFactory.instance.objectNode()
        .put("topic", stats.log().topic())
        .put("partition", stats.log().partition())
        .put("first_offset", stats.logStartOffset())
        .put("end_offset", stats.highWatermark())
        .put("first_dirty_offset", stats.firstDirtyOffset())
        .put("dirty_ratio", stats.dirtyRatio())
        .put("records", inspection.sum(SegmentStats::records));
    json.put("live", LogInspection.boxed(inspection.live()));
    json.put("tombstones", inspection.sum(SegmentStats::tombstones)).put("bytes",
        inspection.sum(SegmentStats::sizeBytes));
    ArrayNode segments = json.putArray("segments");
    stats.segments().forEach(segment -> segments.add(LogInspection.json(segment)));
    ObjectNode config = json.putObject("config");
    inspection.config().toMap().forEach(config::put);
    return json;
  }
}
