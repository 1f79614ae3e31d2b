package dev.rowlog.engine.error;

import java.nio.file.Path;

/** Another process holds the lock of the data directory. */
public final class DirectoryInUseException extends LogException {
  public DirectoryInUseException(Path directory) {
    super(
        "data directory " + directory
            + " is in use by another process (its .lock is held); stop that process or choose another directory",
        null);
  }
}
