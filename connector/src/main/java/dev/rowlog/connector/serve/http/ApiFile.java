package dev.rowlog.connector.serve.http;

import dev.rowlog.engine.disk.Disk;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code rowlog.api.json} in the data directory: where the process that holds it answers, readable by its owner only (mode 600).
 *
 * <p>Removed on a clean stop. One that a killed process left is told by its process: {@link #read} gives nothing unless a process with this id,
 * started at this time, is alive.
 *
 * @param address such as {@code http://127.0.0.1:8080}
 * @param token bearer token of writing requests
 * @param processStart ms since the epoch, as the operating system gives it; 0 where it does not
 */
public record ApiFile(String address, String token, long processId, long processStart) {
  public static final String NAME = "rowlog.api.json";

  /** Of the process that runs on this directory now; empty where none does. */
  public static Optional<ApiFile> read(Disk disk, Path dataDirectory) {
    throw new UnsupportedOperationException("skeleton");
  }

  /** Without the token. */
  @Override
  public String toString() {
    return address + " (process " + processId + ")";
  }
}
