package dev.rowlog.engine.error;

import java.io.IOException;
import java.nio.file.Path;

/** The file system refused an operation; the cause is its own error. */
public final class DiskFailureException extends LogException {
  private final transient Path file;

  /**
   * @param operation the verb, such as "sync" or "rename"
   */
  public DiskFailureException(String operation, Path file, IOException cause) {
    super(operation + " of " + file + " failed: " + cause, cause);
    this.file = file;
  }

  public Path file() {
    return file;
  }
}
