package dev.rowlog.connector.cli;

import dev.rowlog.connector.cli.command.CommandFailure;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.connector.demo.DemoRefused;
import dev.rowlog.connector.mirror.SourceRefusedException;
import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.connector.text.OutOfMemory;
import dev.rowlog.engine.error.DirectoryInUseException;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.error.LogException;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/**
 * What is said of an exception, and the exit code. Pure.
 *
 * @param lines one for each problem, without a stack
 */
record FailureReport(int exitCode, List<String> lines) {

  static FailureReport of(Throwable e) {
    if (e instanceof ConfigException config) {
      return new FailureReport(ExitCode.USAGE, config.problems());
    }
    return new FailureReport(code(e), List.of(oneLine(message(e))));
  }

  /** True where whoever read our output went away: nothing is wrong. */
  static boolean isBrokenPipe(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException
          && String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe")) {
        return true;
      }
    }
    return false;
  }

  private static int code(Throwable e) {
    if (e instanceof CommandFailure failure) {
      return failure.exitCode();
    }
    if (e instanceof InvalidConfigException || e instanceof UnknownTopicException
        || e instanceof OffsetOutOfRangeException
        || e instanceof DemoRefused) {
      return ExitCode.USAGE;
    }
    boolean outside = e instanceof DirectoryInUseException || e instanceof UnsupportedFormatException
        || e instanceof SQLException
        || e instanceof SourceRefusedException || e instanceof TargetException;
    return outside ? ExitCode.ENVIRONMENT : ExitCode.RUNTIME;
  }

  private static String message(Throwable e) {
    if (e instanceof CommandFailure || e instanceof LogException || e instanceof DemoRefused
        || e instanceof SourceRefusedException || e instanceof TargetException) {
      return e.getMessage();
    }
    if (e instanceof SQLException) {
      return "the database answered: " + e.getMessage();
    }
    if (e instanceof OutOfMemoryError outOfMemory) {
      return OutOfMemory.sentence(outOfMemory);
    }
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return e instanceof IllegalStateException
        ? message
        : message + " (" + e.getClass().getSimpleName() + "; --verbose shows where)";
  }

  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
