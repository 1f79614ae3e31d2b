package dev.rowlog.connector.config.setting;

import java.nio.file.Path;

/** Where a value came from; prints itself for messages and for {@code config show --origin}. */
public sealed interface Origin {

  /** The command line. */
  record Flag(String key) implements Origin {
    @Override
    public String toString() {
      return "flag --" + key;
    }
  }

  /** An environment variable. */
  record Environment(String variable) implements Origin {
    @Override
    public String toString() {
      return "environment " + variable;
    }
  }

  /** A file that an environment variable names. */
  record SecretFile(String variable, Path file) implements Origin {
    @Override
    public String toString() {
      return "file " + file + " named by environment " + variable;
    }
  }

  /**
   * The configuration file.
   *
   * @param line where the key stands, from 1
   */
  record PropertiesFile(Path file, int line) implements Origin {
    @Override
    public String toString() {
      return file + " line " + line;
    }
  }

  /** Nothing was given. */
  record Default() implements Origin {
    @Override
    public String toString() {
      return "default";
    }
  }
}
