package dev.rowlog.connector.cli.command;

import picocli.CommandLine.Option;

/** What every command takes. */
public final class CommonOptions {
  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
  boolean help;

  @Option(names = "--verbose", description = "Show the stack of an error, and more of the log.")
  public boolean verbose;
}
