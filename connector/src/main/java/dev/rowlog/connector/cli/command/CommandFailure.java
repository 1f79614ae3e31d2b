package dev.rowlog.connector.cli.command;

/** A command that cannot go on: one line for standard error and the exit code. */
public final class CommandFailure extends RuntimeException {
  private final int exitCode;

  public CommandFailure(int exitCode, String message) {
    this(exitCode, message, null);
  }

  public CommandFailure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
