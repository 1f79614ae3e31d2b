package dev.rowlog.connector.cli.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What people type to start us: {@code ./rowlog} in a checkout, {@code rowlog} where it is installed. Texts are written with {@link #WRITTEN}.
 */
public record CommandName(String typed) {
  public static final String WRITTEN = "rowlog";

  /** Our name before one of our commands: not the role, slot or process of that name. */
  private static final Pattern CALL = Pattern.compile(
      "(?<![\\w./-])rowlog(?= (?:demo|run|status|topic|segment|clean|replay|init|config|COMMAND|--help)\\b)");

  /** A text with commands to type as they work here. */
  public String in(String text) {
    return typed.equals(WRITTEN) ? text : CALL.matcher(text).replaceAll(Matcher.quoteReplacement(typed));
  }
}
