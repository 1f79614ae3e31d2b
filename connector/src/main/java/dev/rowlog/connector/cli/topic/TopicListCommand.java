package dev.rowlog.connector.cli.topic;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.DataOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.text.Quantity;
import dev.rowlog.connector.text.TextTable;
import dev.rowlog.engine.log.config.CleanupPolicy;
import dev.rowlog.engine.replay.DirectoryReader;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topic list}: the logs of a data directory, from folders and checkpoints alone. */
@Command(name = "list", description = "List the topics of a data directory.", footer = {
    "", "Examples:", "  rowlog topic list", "  rowlog topic list --data ./rowlog-data --internal --json"})
public final class TopicListCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin
  CommonOptions common;

  @Mixin
  private DataOptions data;

  @Option(names = "--internal", description = "Rowlog's own logs too, whose names begin with __.")
  private boolean internal;

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  public TopicListCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    try (DirectoryReader reader = data.open(context)) {
      List<LogOverview> logs = reader.partitions().stream()
          .filter(log -> internal || !log.topic().startsWith("__"))
          .map(log -> LogOverview.of(reader, log, context.environment().disk()))
          .toList();
      if (json) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        logs.forEach(log -> array.add(log.toJson()));
        context.out().println(array);
      } else {
        print(logs, reader);
      }
      return ExitCode.OK;
    }
  }

  private void print(List<LogOverview> logs, DirectoryReader reader) {
    if (logs.isEmpty()) {
      context.out().println("no topics in " + reader.root());
      return;
    }
    TextTable table = new TextTable("TOPIC", ">PARTITION", ">FIRST", ">END", ">SEGMENTS", ">SIZE", "POLICY");
    logs.forEach(log -> table.row(log.log().topic(), log.log().partition(), log.logStartOffset(), log.endOffset(),
        log.segments(),
        Quantity.bytes(log.sizeBytes()),
        log.policy().map(CleanupPolicy::name).map(name -> name.toLowerCase(Locale.ROOT)).orElse("-")));
    table.print(context.out(), context.columns());
  }
}
