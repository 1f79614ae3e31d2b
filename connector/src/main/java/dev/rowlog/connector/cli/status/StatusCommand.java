package dev.rowlog.connector.cli.status;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.cli.command.ApiClient;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommandFailure;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.DataOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.mirror.MirrorState;
import dev.rowlog.connector.mirror.MirrorStatus;
import dev.rowlog.connector.serve.http.StatusJson;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code status}: what the process that mirrors says of itself. */
@Command(name = "status", description = "Say in one sentence how the mirror is, and a line a table.", footer = {
    "", "Examples:",
    "  rowlog status",
    "  rowlog status --json",
    "  rowlog status --wait-lsn 0/16B3748 --timeout 10   # read your own write",
    "", "Exit code: 0 where it mirrors, 1 where it does not (or the wait ran out),",
    "3 where no process runs."})
public final class StatusCommand implements Callable<Integer> {
  /** How often it is looked whether a process serves by now. */
  private static final Duration POLL = Duration.ofMillis(100);

  private final CommandContext context;

  @Mixin
  CommonOptions common;

  @Mixin
  private DataOptions data;

  @Option(names = "--wait-lsn", paramLabel = "X/Y", description = "Return when all that the database had committed up to this position is committed in the logs.")
  private String waitLsn;

  @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "30", description = "How long to wait, also for a process that is starting. Default: 30.")
  private long timeoutSeconds;

  @Option(names = "--ready", description = "Print nothing but why it is not ready: for health checks.")
  private boolean ready;

  @Option(names = "--json", description = "Print the JSON object of /api/v1/status.")
  private boolean json;

  public StatusCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    Path directory = data.directory(context);
    if (waitLsn != null) {
      return awaitLsn(directory);
    }
    ApiClient client = client(directory).orElseThrow(() -> noProcess(directory, ""));
    if (ready) {
      client.notReady().ifPresent(reason -> {
        throw new CommandFailure(ExitCode.RUNTIME, "not ready: " + reason);
      });
      return ExitCode.OK;
    }
    MirrorStatus status = client.status();
    if (json) {
      context.out().println(StatusJson.of(status));
    } else {
      StatusText.print(status, context.environment().clock().instant(), context.out(), context.columns());
    }
    boolean mirrors = status.state() == MirrorState.STREAMING || status.state() == MirrorState.SNAPSHOTTING;
    return mirrors ? ExitCode.OK : ExitCode.RUNTIME;
  }

  private Optional<ApiClient> client(Path directory) {
    return ApiClient.of(context.environment().disk(), directory);
  }

  private static CommandFailure noProcess(Path directory, String waited) {
    return new CommandFailure(ExitCode.ENVIRONMENT, "no rowlog process serves " + directory + waited
        + ": start one with 'rowlog run', or name its folder with --data");
  }

  /** A process that only starts, or starts again, is waited for too. */
  private int awaitLsn(Path directory) {
    if (timeoutSeconds < 0 || timeoutSeconds > 3600) {
      throw new CommandFailure(ExitCode.USAGE, "--timeout " + timeoutSeconds + ": must be 0 to 3600 seconds");
    }
    Lsn lsn;
    try {
      lsn = Lsn.parse(waitLsn);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, "--wait-lsn: " + e.getMessage());
    }
    Duration left = Duration.ofSeconds(timeoutSeconds);
    Optional<ApiClient> client = client(directory);
    while (client.isEmpty() && left.compareTo(POLL) >= 0) {
      if (context.stop().await(POLL)) {
        return context.stop().exitCode();
      }
      left = left.minus(POLL);
      client = client(directory);
    }
    Lsn committed = client.orElseThrow(() -> noProcess(directory, " (waited " + timeoutSeconds + " s)"))
        .await(lsn, left);
    context.out().println("committed up to " + committed);
    return ExitCode.OK;
  }
}
