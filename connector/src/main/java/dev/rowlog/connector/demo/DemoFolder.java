package dev.rowlog.connector.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The temporary folder of one demo: {@code rowlog-demo-<process id>-<random>} with the database, the logs where no
 * {@code --data} was given, and
 * {@code demo.json}, by which other commands find the demo and later demos tell whether it is still there.
 */
public final class DemoFolder {
  private static final String PREFIX = "rowlog-demo-";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path path;

  private DemoFolder(Path path) {
    this.path = path;
  }

  /** What {@code demo.json} says of a demo that runs. */
  public record Running(int port, String dataDirectory) {}

  /**
   * A new folder of this process; its name holds the process id from the first moment, so that no other demo takes it
   * for a leftover.
   */
  static DemoFolder create(Path temporary) {
    try {
      DemoFolder folder = new DemoFolder(
          Files.createTempDirectory(temporary, PREFIX + ProcessHandle.current().pid() + "-"));
      folder.writeState(null);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder in " + temporary + ": " + e.getMessage(), e);
    }
  }

  /** Folders of demos, running or not, newest first. */
  static List<DemoFolder> all(Path temporary) {
    List<DemoFolder> folders = new ArrayList<>();
    try (Stream<Path> entries = Files.list(temporary)) {
      entries.filter(entry -> entry.getFileName().toString().matches(PREFIX + "[0-9]+-.*") && Files.isDirectory(entry))
          .sorted((a, b) -> Long.compare(modified(b), modified(a)))
          .forEach(entry -> folders.add(new DemoFolder(entry)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + temporary + ": " + e.getMessage(), e);
    }
    return folders;
  }

  /** The demos that run now, newest first. */
  public static List<Running> running(Path temporary) {
    return all(temporary).stream().filter(DemoFolder::isOwned).flatMap(folder -> folder.runningState().stream())
        .toList();
  }

  Path path() {
    return path;
  }

  Path postgresData() {
    return path.resolve("postgres");
  }

  void writeState(Running running) {
    ProcessHandle self = ProcessHandle.current();
    ObjectNode state = JSON.createObjectNode().put("pid", self.pid()).put("started_ms", startOf(self));
    if (running != null) {
      state.put("port", running.port()).put("data", running.dataDirectory());
    }
    try {
      Files.writeString(path.resolve("demo.json"), state.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write into " + path + ": " + e.getMessage(), e);
    }
  }

  /** True while the process that made it is alive: its id alone may have been given to another one since. */
  boolean isOwned() {
    long pid = Long.parseLong(path.getFileName().toString().substring(PREFIX.length()).split("-", 2)[0]);
    long started = state().map(state -> state.path("started_ms").asLong()).orElse(0L);
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive)
        .filter(process -> started == 0 || startOf(process) == 0 || startOf(process) == started)
        .isPresent();
  }

  /** Removes the folder; what cannot be removed stays. */
  void delete() {
    try {
      Files.walkFileTree(path, new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
          Files.deleteIfExists(file);
          return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
          return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
          Files.deleteIfExists(folder);
          return FileVisitResult.CONTINUE;
        }
      });
    } catch (IOException e) {
      System.getLogger(DemoFolder.class.getName()).log(System.Logger.Level.WARNING, "cannot remove " + path, e);
    }
  }

  private Optional<Running> runningState() {
    return state().filter(state -> state.hasNonNull("port"))
        .map(state -> new Running(state.path("port").asInt(), state.path("data").asText()));
  }

  private Optional<JsonNode> state() {
    try {
      return Optional.of(JSON.readTree(Files.readString(path.resolve("demo.json"))));
    } catch (IOException e) {
      // Just made, or somebody else's.
      return Optional.empty();
    }
  }

  private static long startOf(ProcessHandle process) {
    return process.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
  }

  private static long modified(Path path) {
    try {
      return Files.getLastModifiedTime(path).toMillis();
    } catch (IOException e) {
      return 0;
    }
  }
}
