package dev.rowlog.connector.catalog;

import org.postgresql.util.GT;

/** Messages of pgjdbc, which speaks the language of the JVM's locale. Pure. */
final class DriverMessage {
  private static final String PLACE = "\u0001";

  private DriverMessage() {}

  /**
   * Whether {@code said} is a message of the driver, in whatever language.
   *
   * @param english as it stands in the driver's source, with {0} and {1} for what varies
   */
  static boolean is(String said, String english) {
    for (String part : GT.tr(english, PLACE, PLACE).split(PLACE)) {
      if (!said.contains(part.strip())) {
        return false;
      }
    }
    return true;
  }
}
