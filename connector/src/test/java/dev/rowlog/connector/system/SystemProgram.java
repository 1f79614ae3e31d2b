package dev.rowlog.connector.system;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A program that tests of the profile {@code system} start, and Debian's package that brings it. Ordered as CI installs
 * them.
 */
public enum SystemProgram {
  TAR("tar", "tar"),
  REDIS_SERVER("redis-server", "redis-server"),
  KCAT("kcat", "kcat"),
  CHROMIUM("chromium",
      "chromium");

  private final String program;
  private final String debianPackage;

  SystemProgram(String program, String debianPackage) {
    this.program = program;
    this.debianPackage = debianPackage;
  }

  public String debianPackage() {
    return debianPackage;
  }

  /** Where it is; empty where it is not installed. */
  public Optional<Path> find() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * @throws AssertionError with the line that installs it
   */
  public Path require() {
    return find().orElseThrow(
        () -> new AssertionError(program + " is missing: apt-get install " + debianPackage));
  }
}
