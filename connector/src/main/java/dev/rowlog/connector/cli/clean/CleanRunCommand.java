package dev.rowlog.connector.cli.clean;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlog.connector.cli.command.ApiClient;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.DataOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.config.key.ConfigKeys;
import dev.rowlog.connector.config.setting.Settings;
import dev.rowlog.connector.mirror.CleanRequest;
import dev.rowlog.connector.serve.http.CleaningJson;
import dev.rowlog.connector.text.Quantity;
import dev.rowlog.connector.text.TextTable;
import dev.rowlog.connector.text.WordWrap;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clean run}: one complete pass now, through the process that holds the directory where there is one. */
@Command(name = "run", description = {
    "Clean topics now: one complete pass over everything before the active segment, whatever the dirty ratio.",
    "Beside a running process the pass is made by that process."}, footer = {
        "", "Examples:",
        "  rowlog clean run",
        "  rowlog clean run shop.public.orders --roll",
        "  rowlog clean run --json --set delete.retention.ms=0 \\",
        "    --set log.cleaner.io.max.bytes.per.second=10485760"})
public final class CleanRunCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin
  CommonOptions common;

  @Mixin
  private DataOptions data;

  @Parameters(arity = "0..*", paramLabel = "TOPIC", description = "Topics to clean. Default: every compacted one but Rowlog's own (__rowlog_*).")
  private List<String> topics = List.of();

  @Option(names = "--roll", description = "Close the active segment first, so that its records take part.")
  private boolean roll;

  @Option(names = "--set", paramLabel = "KEY=VALUE", description = "One of Kafka's topic keys (delete.retention.ms) or log.cleaner.* keys, for this pass only. Repeatable.")
  private Map<String, String> set = new LinkedHashMap<>();

  @Option(names = "--json", description = "Print one JSON object a log; one that cannot be cleaned has the field error.")
  private boolean json;

  public CleanRunCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    Settings settings = data.settings(context);
    Path directory = data.directory(context);
    CleanRequest request = new CleanRequest(topics, roll, withoutPrefix(set));
    Optional<ApiClient> client = ApiClient.of(context.environment().disk(), directory);
    JsonNode logs = client.isPresent() ? client.get().clean(request) : offline(settings, directory, request);
    if (json) {
      logs.forEach(log -> context.out().println(log));
    } else {
      print(logs, context.out());
    }
    boolean failed = false;
    for (JsonNode log : logs) {
      if (log.has("error")) {
        failed = true;
        context.error().println("rowlog: " + name(log) + " was not cleaned: " + log.path("error").asText());
      }
    }
    return failed ? ExitCode.RUNTIME : ExitCode.OK;
  }

  private ArrayNode offline(Settings settings, Path directory, CleanRequest request) {
    ArrayNode logs = JsonNodeFactory.instance.arrayNode();
    new OfflineCleaning(context, settings, directory).run(request)
        .forEach(cleaned -> logs.add(CleaningJson.of(cleaned)));
    return logs;
  }

  /** {@code topic.delete.retention.ms} of the configuration is meant where someone writes it so. */
  private static Map<String, String> withoutPrefix(Map<String, String> set) {
    Map<String, String> keys = new LinkedHashMap<>();
    set.forEach((key, value) -> keys.put(
        key.startsWith(ConfigKeys.TOPIC_PREFIX) ? key.substring(ConfigKeys.TOPIC_PREFIX.length()) : key, value));
    return keys;
  }

  private void print(JsonNode logs, PrintStream out) {
    if (logs.isEmpty()) {
      out.println("no compacted topic to clean");
      return;
    }
    TextTable table = new TextTable("TOPIC", ">RECORDS", ">AFTER", ">BYTES", ">AFTER", ">TOMBSTONES REMOVED", ">KEPT",
        ">TIME");
    long leftOut = 0;
    long tombstones = 0;
    for (JsonNode log : logs) {
      if (log.has("error")) {
        table.row(name(log), "not cleaned", "-", "-", "-", "-", "-", "-");
        continue;
      }
      tombstones += log.path("tombstones_kept").asLong();
      leftOut += log.path("records_left_out").asLong();
      table.row(name(log), Quantity.count(log.path("records_in").asLong()),
          Quantity.count(log.path("records_out").asLong()),
          Quantity.bytes(log.path("bytes_before").asLong()), Quantity.bytes(log.path("bytes_after").asLong()),
          Quantity.count(log.path("tombstones_removed").asLong()), Quantity.count(log.path("tombstones_kept").asLong()),
          Quantity.duration(Duration.ofMillis(log.path("wall_ms").asLong())));
    }
    table.print(out, context.columns());
    if (leftOut > 0) {
      note(out, Quantity.count(leftOut, "record") + " in active segments "
          + (leftOut == 1 ? "was" : "were") + " left out" + (roll ? "" : ": --roll takes them in"));
    }
    if (tombstones > 0 && withoutPrefix(set).containsKey("delete.retention.ms")) {
      note(out, Quantity.count(tombstones, "tombstone") + " stayed: a delete horizon that an earlier pass has"
          + " set stands, whatever delete.retention.ms is now (KIP-534), and one set now counts from the next pass on");
    }
  }

  private void note(PrintStream out, String text) {
    out.println("→ " + WordWrap.wrap(text, context.columns() - 2, "\n  "));
  }

  private static String name(JsonNode log) {
    int partition = log.path("partition").asInt();
    return log.path("topic").asText() + (partition == 0 ? "" : "-" + partition);
  }
}
