package dev.rowlog.connector.cli;

import java.util.Optional;

/** The version in the jar's manifest. */
final class Version {
  private Version() {}

  static String text() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion()).orElse("(not packaged)")
        + " on Java " + Runtime.version();
  }
}
