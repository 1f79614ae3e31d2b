package dev.rowlog.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a checkout and an installation of its own, with a Main that prints what it was given and a Maven
 * that counts its calls.
 */
class LauncherTest {
  private static final String MAIN = """
      package dev.rowlog.connector;
      public class Main {
        public static void main(String[] arguments) {
          System.out.println(String.join("|", arguments) + " zone=" + System.getProperty("user.timezone")
              + " name=" + System.getProperty("rowlog.name") + " terminal=" + System.getProperty("rowlog.terminal") + " max=" + (Runtime.getRuntime().maxMemory() >> 20));
        }
      }""";

  @TempDir
  Path folder;

  private Path home;
  private Path tools;

  @BeforeEach
  void prepare() throws IOException {
    home = Files.createDirectories(folder.resolve("a check out"));
    tools = Files.createDirectories(folder.resolve("tools"));
    Files.copy(Path.of("..", "rowlog"), home.resolve("rowlog"), StandardCopyOption.COPY_ATTRIBUTES);
  }

  @Test
  void shouldStartAnInstallationThroughALinkFromAnyFolder() throws Exception {
    // Given
    jar(home.resolve("lib").resolve("connector.jar"));
    Path link = Files.createSymbolicLink(folder.resolve("link to rowlog"), Path.of("a check out/rowlog"));
    // When
    Result result = run(link, Map.of("ROWLOG_HEAP", "64m"), "topic", "read", "a b", "*");
    // Then
    assertThat(result.exitCode()).as(result.error()).isZero();
    assertThat(result.output()).startsWith("topic|read|a b|* zone=UTC name=rowlog terminal=null max=6");
    assertThat(result.error()).isEmpty();
  }

  @Test
  void shouldSayThatAnInstallationWithoutItsPostgresHasNoDemo() throws Exception {
    // Given
    jar(home.resolve("lib").resolve("connector.jar"));
    // When
    Result none = run(home.resolve("rowlog"), Map.of(), "demo");
    Files.createDirectories(home.resolve("lib/demo"));
    Result there = run(home.resolve("rowlog"), Map.of(), "demo");
    // Then
    assertThat(none.exitCode()).isEqualTo(3);
    assertThat(none.error()).contains("the demo's PostgreSQL").contains("rowlog run").hasLineCount(1);
    assertThat(there.output()).startsWith("demo zone=UTC");
  }

  @Test
  void shouldBuildOnceAndAgainOnlyWhenASourceIsNewer() throws Exception {
    // Given
    checkout();
    maven("echo built >> calls; mkdir -p connector/target/lib && cp prepared.jar connector/target/connector-1.jar");
    // When
    Result first = run(home.resolve("rowlog"), Map.of(), "x");
    Result second = run(home.resolve("rowlog"), Map.of(), "x");
    Files.setLastModifiedTime(home.resolve("connector/src/main/A.java"), FileTime.fromMillis(Files.getLastModifiedTime(
        home.resolve("connector/target/rowlog.built")).toMillis() + 10_000));
    Result third = run(home.resolve("rowlog"), Map.of(), "x");
    // Then
    assertThat(List.of(first.exitCode(), second.exitCode(), third.exitCode())).containsOnly(0);
    assertThat(first.output()).startsWith("x zone=UTC name=" + home.resolve("rowlog")).isEqualTo(second.output());
    assertThat(first.error()).contains("rowlog: building, once:");
    assertThat(second.error()).isEmpty();
    assertThat(Files.readAllLines(home.resolve("calls"))).containsExactly("built", "built");
  }

  @Test
  void shouldShowMavensErrorsAndItsLogWhenTheBuildFails() throws Exception {
    // Given
    checkout();
    maven("echo '[INFO] noise'; echo '[ERROR] A.java: no'; exit 1");
    // When
    Result result = run(home.resolve("rowlog"), Map.of(), "x");
    // Then
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.error()).contains("[ERROR] A.java: no")
        .contains("Maven's log is " + home.toRealPath() + "/.rowlog/build.log")
        .doesNotContain("noise");
    assertThat(result.output()).isEmpty();
    assertThat(home.resolve(".rowlog/build.lock")).doesNotExist();
  }

  @Test
  void shouldTakeOverTheLockOfABuildThatWasKilled() throws Exception {
    // Given
    checkout();
    maven("mkdir -p connector/target/lib && cp prepared.jar connector/target/connector-1.jar");
    Files.createDirectories(home.resolve(".rowlog/build.lock"));
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Files.writeString(home.resolve(".rowlog/build.lock/pid"), Long.toString(gone.pid()));
    // When
    Result result = run(home.resolve("rowlog"), Map.of(), "x");
    // Then
    assertThat(result.exitCode()).as(result.error()).isZero();
  }

  @Test
  void shouldSayWhichJavaIsMissing() throws Exception {
    Result none = run(home.resolve("rowlog"), Map.of("JAVA_HOME", "/no/such/java"), "x");
    assertThat(none.exitCode()).isEqualTo(3);
    assertThat(none.error()).contains("JAVA_HOME is /no/such/java").contains("17 or newer").hasLineCount(1);
  }

  @Test
  void shouldRefuseAnOldJava() throws Exception {
    // Given
    Path old = Files.createDirectories(folder.resolve("jdk-11/bin"));
    script(old.resolve("java"), "exit 9");
    Files.writeString(folder.resolve("jdk-11/release"), "JAVA_VERSION=\"11.0.2\"\n");
    // When
    Result result = run(home.resolve("rowlog"), Map.of("JAVA_HOME", old.getParent().toString()), "x");
    // Then
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.error()).contains("Java 17 or newer is needed").contains("is Java 11");
  }

  private record Result(int exitCode, String output, String error) {}

  private Result run(Path launcher, Map<String, String> variables, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", launcher.toString()));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(folder, "output", ".txt");
    Path error = Files.createTempFile(folder, "error", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectOutput(output.toFile())
        .redirectError(error.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOG_"));
    builder.environment().put("PATH", tools + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(variables);
    int exitCode = builder.start().waitFor();
    return new Result(exitCode, Files.readString(output), Files.readString(error));
  }

  private void checkout() throws IOException {
    jar(home.resolve("prepared.jar"));
    for (String file : List.of("pom.xml", "log-engine/pom.xml", "connector/pom.xml", "log-engine/src/main/B.java",
        "connector/src/main/A.java")) {
      Path path = home.resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, "");
    }
  }

  private void maven(String body) throws IOException {
    script(tools.resolve("mvn"), body);
  }

  private static void script(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private void jar(Path file) throws IOException {
    Path source = Files.writeString(Files.createDirectories(folder.resolve("stub")).resolve("Main.java"), MAIN);
    int compiled = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", source.getParent().toString(),
        source.toString());
    assertThat(compiled).isZero();
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file); JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new JarEntry("dev/rowlog/connector/Main.class"));
      jar.write(Files.readAllBytes(source.resolveSibling("dev/rowlog/connector/Main.class")));
      jar.closeEntry();
    }
  }
}
