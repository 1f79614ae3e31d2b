package dev.rowlog.connector.cli;

import dev.rowlog.connector.cli.command.CommandName;
import dev.rowlog.connector.text.WordWrap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help that breaks lines at blanks only, so that names of options and examples stay whole (picocli breaks at dots,
 * slashes and hyphens as well). Pure.
 */
final class HelpText {
  private static final int LONGEST_NAME = 34;

  private HelpText() {}

  /** Puts our own sections in place, in this command and all below it. */
  static void apply(CommandSpec command, CommandName name) {
    UsageMessageSpec usage = command.usageMessage();
    usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, help -> synopsis(help.commandSpec()));
    usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_DESCRIPTION,
        help -> wrapped(help, help.commandSpec().usageMessage().description(), name));
    usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, help -> list(help,
        List.copyOf(help.commandSpec().positionalParameters())));
    usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> name.in(options(help)));
    usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpText::commands);
    usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER,
        help -> name.in(String.join("\n", formatted(help.commandSpec().usageMessage().footer())) + "\n"));
    command.subcommands().values().forEach(below -> apply(below.getCommandSpec(), name));
  }

  private static String synopsis(CommandSpec command) {
    StringBuilder synopsis = new StringBuilder(command.qualifiedName());
    if (!command.subcommands().isEmpty()) {
      synopsis.append(" COMMAND");
    }
    command.positionalParameters().forEach(parameter -> {
      String label = parameter.paramLabel() + (parameter.arity().max() > 1 ? "…" : "");
      synopsis.append(' ').append(parameter.arity().min() == 0 ? "[" + label + "]" : label);
    });
    return synopsis.append(" [OPTIONS]\n").toString();
  }

  /** Each with the first line of its description. */
  private static String commands(Help help) {
    Map<String, Help> below = help.subcommands();
    int names = below.keySet().stream().mapToInt(String::length).max().orElse(0);
    String indent = " ".repeat(names + 4);
    StringBuilder list = new StringBuilder();
    below.forEach((name, command) -> {
      String[] description = command.commandSpec().usageMessage().description();
      list.append("  ").append(name).append(" ".repeat(names - name.length() + 2))
          .append(WordWrap.wrap(description.length == 0 ? "" : description[0],
              help.commandSpec().usageMessage().width() - indent.length(), "\n" + indent))
          .append('\n');
    });
    return list.toString();
  }

  private static String options(Help help) {
    List<ArgSpec> shown = new ArrayList<>();
    for (OptionSpec option : help.commandSpec().options()) {
      if (!option.hidden() && !isCommon(option)) {
        shown.add(option);
      }
    }
    help.commandSpec().options().stream().filter(HelpText::isCommon).forEach(shown::add);
    return list(help, shown);
  }

  /** What every command has comes last. */
  private static boolean isCommon(OptionSpec option) {
    return option.usageHelp() || option.versionHelp() || option.longestName().equals("--verbose");
  }

  private static String list(Help help, List<ArgSpec> arguments) {
    int names = arguments.stream().mapToInt(argument -> names(argument).length())
        .filter(length -> length <= LONGEST_NAME)
        .max().orElse(0);
    StringBuilder list = new StringBuilder();
    for (ArgSpec argument : arguments) {
      String name = names(argument);
      String indent = " ".repeat(names + 4);
      String text = WordWrap.wrap(String.join(" ", formatted(argument.description())),
          help.commandSpec().usageMessage().width()
              - indent.length(),
          "\n" + indent);
      list.append("  ").append(name)
          .append(name.length() <= names ? " ".repeat(names - name.length() + 2) : "\n" + indent).append(text)
          .append('\n');
    }
    return list.toString();
  }

  private static String names(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option)) {
      return argument.paramLabel();
    }
    return String.join(", ", option.names()) + (option.arity().max() > 0 ? " " + option.paramLabel() : "");
  }

  private static String wrapped(Help help, String[] lines, CommandName name) {
    StringBuilder text = new StringBuilder();
    formatted(lines)
        .forEach(line -> text.append(WordWrap.wrap(name.in(line), help.commandSpec().usageMessage().width(), "\n"))
            .append('\n'));
    return text.toString();
  }

  /** Texts of picocli's are formats. */
  private static List<String> formatted(String[] lines) {
    return Arrays.stream(lines).map(line -> line.replace("%%", "%")).toList();
  }
}
