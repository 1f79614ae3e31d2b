package dev.rowlog.connector;

import dev.rowlog.connector.cli.RowlogCommand;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommandName;
import dev.rowlog.connector.cli.command.StopSignal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.TimeZone;

/**
 * The process: gives the commands what they see of the world, and ends with their exit code. {@code rowlog.terminal},
 * {@code rowlog.terminal.error} and
 * {@code rowlog.columns} are set by the launcher, which can ask the terminal, and {@code rowlog.name}, as it was called.
 */
public final class Main {
  private static final int DEFAULT_COLUMNS = 80;

  private Main() {}

  public static void main(String[] arguments) {
    // Before the driver loads: it asks the server to use the JVM's zone, and values print in it (D3).
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    Thread.setDefaultUncaughtExceptionHandler(new OutOfMemoryExit());
    int exitCode = RowlogCommand.in(context()).execute(arguments);
    System.exit(exitCode);
  }

  private static CommandContext context() {
    return new CommandContext(
        new FileOutputStream(FileDescriptor.out),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        System.getenv(),
        RowlogApp.systemEnvironment(),
        Main::processCpuNanos,
        Boolean.getBoolean("rowlog.terminal"),
        Boolean.getBoolean("rowlog.terminal.error"),
        Integer.getInteger("rowlog.columns", DEFAULT_COLUMNS),
        new CommandName(System.getProperty("rowlog.name", CommandName.WRITTEN)),
        Path.of(System.getProperty("java.io.tmpdir")),
        new ProcessStopSignal());
  }

  private static long processCpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean bean
        ? bean.getProcessCpuTime()
        : 0;
  }

  /** SIGINT, SIGTERM and SIGHUP: the first is a request, the second ends the process at once. */
  private static final class ProcessStopSignal extends StopSignal {
    @Override
    public void arm() {
      OperatingSystemSignals.handle(number -> {
        if (isGiven()) {
          Runtime.getRuntime().halt(128 + number);
        }
        give(number);
      });
    }
  }
}
