package dev.rowlog.connector.cli.command;

/** What a command ends with. A signal ends it with 128 and the signal's number: 130 for Ctrl-C, 143 for SIGTERM. */
public final class ExitCode {
  public static final int OK = 0;
  /**
   * Something failed while the command ran: a corrupted segment, a full disk, a mirror that stopped, a wait that ran
   * out.
   */
  public static final int RUNTIME = 1;
  /** The command line or the configuration does not hold: unknown key, flag or topic, a value that is not allowed. */
  public static final int USAGE = 2;
  /** Something outside has to be put right first: database, rights, a data directory in use or of a newer format. */
  public static final int ENVIRONMENT = 3;
  /** A comparison found differences. */
  public static final int DIFFERENCES = 4;

  private ExitCode() {}
}
