package dev.rowlog.connector.serve.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlog.engine.disk.Disk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * {@code rowlog.api.json} in the data directory: where the process that holds it answers, readable by its owner only
 * (mode 600).
 *
 * <p>Removed on a clean stop. One that a killed process left is told by its process: {@link #read} gives nothing
 * unless a process with this id, started at this time, is alive.
 *
 * @param address such as {@code http://127.0.0.1:8080}
 * @param token bearer token of writing requests
 * @param processStart ms since the epoch, as the operating system gives it; 0 where it does not
 */
public record ApiFile(String address, String token, long processId, long processStart) {
  public static final String NAME = "rowlog.api.json";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of this process. */
  static ApiFile ofThisProcess(String address, String token) {
    ProcessHandle self = ProcessHandle.current();
    return new ApiFile(address, token, self.pid(), startOf(self));
  }

  /** Of the process that runs on this directory now; empty where none does. */
  public static Optional<ApiFile> read(Disk disk, Path dataDirectory) {
    Path file = dataDirectory.resolve(NAME);
    if (!disk.exists(file)) {
      return Optional.empty();
    }
    return parse(disk.readAll(file)).filter(ApiFile::isAlive);
  }

  /** Replaces the file as a whole: nobody reads half of it, and at no moment can others read it. */
  void write(Path dataDirectory) {
    Path target = dataDirectory.resolve(NAME);
    Path fresh = dataDirectory.resolve(NAME + ".tmp");
    try {
      Files.deleteIfExists(fresh);
      Files.createFile(fresh, ownerOnly());
      Files.write(fresh, JSON.writeValueAsBytes(JSON.createObjectNode()
          .put("address", address)
          .put("token", token)
          .put("pid", processId)
          .put("pid_started_ms", processStart)));
      Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + target + ": " + e.getMessage(), e);
    }
  }

  static void remove(Path dataDirectory) {
    try {
      Files.deleteIfExists(dataDirectory.resolve(NAME));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + dataDirectory.resolve(NAME) + ": " + e.getMessage(), e);
    }
  }

  private boolean isAlive() {
    return ProcessHandle.of(processId)
        .filter(ProcessHandle::isAlive)
        .filter(process -> processStart == 0 || startOf(process) == processStart)
        .isPresent();
  }

  private static long startOf(ProcessHandle process) {
    return process.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
  }

  private static Optional<ApiFile> parse(byte[] json) {
    try {
      JsonNode node = JSON.readTree(json);
      return Optional.of(new ApiFile(
          node.required("address").textValue(),
          node.required("token").textValue(),
          node.required("pid").longValue(),
          node.required("pid_started_ms").longValue()));
    } catch (IOException | IllegalArgumentException e) {
      // A file that nobody of ours wrote leads to no process of ours.
      return Optional.empty();
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))}
        : new FileAttribute<?>[0];
  }

  /** Without the token. */
  @Override
  public String toString() {
    return address + " (process " + processId + ")";
  }
}
