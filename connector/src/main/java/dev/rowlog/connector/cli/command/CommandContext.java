package dev.rowlog.connector.cli.command;

import dev.rowlog.connector.options.Environment;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * What a command sees of the world outside.
 *
 * @param output standard output: bytes, not buffered, an error is thrown
 * @param error standard error
 * @param variables the process's environment variables
 * @param cpuNanos CPU time of the whole process
 * @param terminal whether people read standard output: then there is progress and colour
 * @param errorTerminal whether people read standard error: then logs are text
 * @param columns width of the terminal
 * @param name what people type to start us
 * @param temporary folder for what is gone after the command
 */
public record CommandContext(
    OutputStream output,
    PrintStream error,
    Map<String, String> variables,
    Environment environment,
    LongSupplier cpuNanos,
    boolean terminal,
    boolean errorTerminal,
    int columns,
    CommandName name,
    Path temporary,
    StopSignal stop) {
  public CommandContext {
    Objects.requireNonNull(output, "output");
    Objects.requireNonNull(error, "error");
    variables = Map.copyOf(variables);
    Objects.requireNonNull(environment, "environment");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(stop, "stop");
  }

  /** For a few lines: flushed at each line's end, errors of the output are ignored. */
  public PrintStream out() {
    return new PrintStream(output, true, StandardCharsets.UTF_8);
  }
}
