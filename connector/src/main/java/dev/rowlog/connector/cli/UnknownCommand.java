package dev.rowlog.connector.cli;

import dev.rowlog.engine.log.config.NearestName;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What to say where a word is no command of those that can come there. Pure. */
final class UnknownCommand {
  private UnknownCommand() {}

  /** Empty where the mistake is another one. */
  static Optional<String> of(ParameterException mistake) {
    CommandSpec command = mistake.getCommandLine().getCommandSpec();
    Set<String> known = command.subcommands().keySet();
    if (known.isEmpty() || !(mistake instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()
        || unmatched.getUnmatched().get(0).startsWith("-")) {
      return Optional.empty();
    }
    String typed = unmatched.getUnmatched().get(0);
    return Optional.of("there is no command '" + command.qualifiedName() + " " + typed + "'"
        + NearestName.of(typed, known)
            .map(near -> ": did you mean '" + command.qualifiedName() + " " + near + "'?")
            .orElseGet(() -> "; there are " + String.join(", ", known)));
  }
}
