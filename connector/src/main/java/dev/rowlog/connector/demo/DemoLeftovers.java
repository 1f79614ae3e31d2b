package dev.rowlog.connector.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Removes what a killed demo left: its server, told by the pid file of its own data directory, and its folder. Never
 * touches a demo that runs.
 */
final class DemoLeftovers {
  private static final long STOP_SECONDS = 10;

  private DemoLeftovers() {}

  /** How many were removed. */
  static int remove(Path temporary) {
    int removed = 0;
    for (DemoFolder folder : DemoFolder.all(temporary)) {
      if (!folder.isOwned() && Files.isWritable(folder.path())) {
        server(folder.postgresData()).ifPresent(DemoLeftovers::stop);
        folder.delete();
        removed++;
      }
    }
    return removed;
  }

  /**
   * The server that runs on this data directory: first line of {@code postmaster.pid} its process id, second the
   * directory (PostgreSQL {@code pidfile.h}).
   * The process must look like a server too, since its id may have been given to another one.
   */
  static Optional<ProcessHandle> server(Path dataDirectory) {
    try {
      List<String> lines = Files.readAllLines(dataDirectory.resolve("postmaster.pid"));
      if (lines.size() < 2 || !Path.of(lines.get(1)).equals(dataDirectory)) {
        return Optional.empty();
      }
      return ProcessHandle.of(Long.parseLong(lines.get(0).strip()))
          .filter(process -> process.info().command().map(command -> command.contains("postgres")).orElse(false));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Immediate shutdown, which also ends its children and gives back its shared memory; then by force. */
  static void stop(ProcessHandle server) {
    try {
      new ProcessBuilder("kill", "-QUIT", Long.toString(server.pid())).start().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
      server.onExit().orTimeout(STOP_SECONDS, TimeUnit.SECONDS).join();
    } catch (IOException | CompletionException e) {
      server.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      server.destroyForcibly();
    }
  }
}
