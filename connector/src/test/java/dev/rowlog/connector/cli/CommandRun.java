package dev.rowlog.connector.cli;

import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommandName;
import dev.rowlog.connector.cli.command.StopSignal;
import dev.rowlog.connector.options.Environment;
import dev.rowlog.engine.disk.NioDisk;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** A command in this JVM: what it printed and what it ended with. */
public record CommandRun(int exitCode, String output, String error) {
  /** Stands still: what depends on time gets it from the test. */
  static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));

  public static CommandRun of(String... arguments) {
    return with(Map.of(), arguments);
  }

  static CommandRun with(Map<String, String> variables, String... arguments) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream error = new ByteArrayOutputStream();
    int exitCode = execute(variables, output, error, new StopSignal(), arguments);
    return new CommandRun(exitCode, output.toString(StandardCharsets.UTF_8), error.toString(StandardCharsets.UTF_8));
  }

  /** As people call it in a checkout. */
  static CommandRun called(String name, String... arguments) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream error = new ByteArrayOutputStream();
    int exitCode = execute(name, Map.of(), output, error, new StopSignal(), arguments);
    return new CommandRun(exitCode, output.toString(StandardCharsets.UTF_8), error.toString(StandardCharsets.UTF_8));
  }

  public static int execute(Map<String, String> variables, OutputStream output, OutputStream error, StopSignal stop,
      String... arguments) {
    return execute(CommandName.WRITTEN, variables, output, error, stop, arguments);
  }

  private static int execute(String name, Map<String, String> variables, OutputStream output, OutputStream error,
      StopSignal stop, String... arguments) {
    CommandContext context = new CommandContext(output, new PrintStream(error, true, StandardCharsets.UTF_8), variables,
        environment(), () -> 0,
        false, false, 80, new CommandName(name), Path.of(System.getProperty("java.io.tmpdir")), stop);
    return RowlogCommand.in(context).execute(arguments);
  }

  static Environment environment() {
    AtomicLong nanos = new AtomicLong();
    return new Environment(new NioDisk(), CLOCK, () -> nanos.addAndGet(1_000_000), new Random(1));
  }

  public List<String> lines() {
    return output.lines().toList();
  }
}
