package dev.rowlog.connector.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that Maven wrote into the jar. */
final class Version {
  private static final String FILE = "/META-INF/maven/dev.rowlog/connector/pom.properties";

  private Version() {}

  static String text() {
    Properties properties = new Properties();
    try (InputStream file = Version.class.getResourceAsStream(FILE)) {
      if (file != null) {
        properties.load(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "(not packaged)") + " on Java " + Runtime.version();
  }
}
