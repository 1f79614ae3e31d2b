package dev.rowlog.connector.cli.topic;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.text.Quantity;
import dev.rowlog.connector.text.TextTable;
import dev.rowlog.engine.inspect.stats.SegmentStats;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.replay.DirectoryReader;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code segment list}: a log segment by segment, with why the cleaner leaves each alone. Scans the log once. */
@Command(name = "list", description = "List the segments of a topic: what they hold, clean or dirty, and why not cleaned yet.", footer = {
    "", "Example:", "  rowlog segment list shop.public.orders"})
public final class SegmentListCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin
  CommonOptions common;

  @Mixin
  private LogOptions which;

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  public SegmentListCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (DirectoryReader reader = which.open(context)) {
      TopicPartition log = which.find(reader);
      List<SegmentStats> segments = LogInspection.of(reader, log, which.settings(context), context).stats().segments();
      if (json) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        segments.forEach(segment -> array.add(LogInspection.json(segment)));
        context.out().println(array);
      } else {
        print(segments);
      }
      return ExitCode.OK;
    }
  }

  private void print(List<SegmentStats> segments) {
    TextTable table = new TextTable(">BASE", ">NEXT", ">SIZE", ">RECORDS", ">LIVE", ">DEAD", ">TOMBSTONES",
        "LAST RECORD", "STATE",
        "WHY NOT CLEANED");
    segments
        .forEach(segment -> table.row(segment.baseOffset(), segment.nextOffset(), Quantity.bytes(segment.sizeBytes()),
            Quantity.count(segment.records()), LogInspection.orUnknown(segment.live()),
            LogInspection.orUnknown(segment.dead()),
            Quantity.count(segment.tombstones()), Quantity.time(segment.lastTimestamp()),
            segment.state().name().toLowerCase(Locale.ROOT),
            segment.whyNotCleaned()));
    table.print(context.out(), context.columns());
  }
}
