package dev.rowlog.connector.replay;

import dev.rowlog.connector.Main;
import dev.rowlog.connector.postgres.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** {@code rowlog replay} in a JVM of its own. */
public final class ReplayProcess implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(120);
  private static final int ROUNDS = Integer.getInteger("rounds", 10);

  private final Process process;
  private final Path output;

  private ReplayProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  public static ReplayProcess start(Path data, List<String> arguments) throws IOException {
    return start(data, List.of(), arguments);
  }

  /**
   * @param options of the JVM
   */
  public static ReplayProcess start(Path data, List<String> options, List<String> arguments) throws IOException {
    Path output = Files.createTempFile("rowlog-replay", ".log");
    List<String> command = new ArrayList<>(
        List.of(ServerProcess.java(), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
            System.getProperty("java.class.path")));
    command.addAll(options);
    command.addAll(List.of(Main.class.getName(), "replay"));
    command.addAll(arguments);
    command.addAll(List.of("--data", data.toString()));
    return new ReplayProcess(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start(), output);
  }

  /**
   * Writes while a replay that follows is killed {@code -Drounds=} times (10) at random moments of its work and started again; then lets
   * one run to its end.
   */
  public static void killAgainAndAgain(ShopLogs logs, Path data, List<String> arguments, Random random)
      throws Exception {
    List<String> following = new ArrayList<>(arguments);
    following.add("--follow");
    for (int round = 0; round < ROUNDS; round++) {
      logs.transact(random, 40, 2_000);
      logs.fill(2_000);
      if (round % 3 == 2) {
        logs.clean();
      }
      try (ReplayProcess replay = start(data, following)) {
        replay.awaitWork();
        replay.killAfter(random.nextInt(round < 3 ? 150 : 500));
      }
    }
    logs.transact(random, 40, 2_000);
    runOnce(data, arguments);
  }

  /** To its end, which must be a good one; what it printed. */
  public static String runOnce(Path data, List<String> arguments) throws Exception {
    try (ReplayProcess replay = start(data, arguments)) {
      int exit = replay.awaitEnd();
      if (exit != 0) {
        throw new AssertionError("rowlog replay " + arguments + " ended with " + exit + ":\n" + replay.output());
      }
      return replay.output();
    }
  }

  public int awaitEnd() throws InterruptedException {
    if (!process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("did not end:\n" + output());
    }
    return process.exitValue();
  }

  /** Returns when it has decided what to do with its tables. */
  private void awaitWork() {
    Eventually.holds("the replay works\n" + output(), DEADLINE, () -> {
      if (!process.isAlive()) {
        throw new AssertionError("ended by itself with " + process.exitValue() + ":\n" + output());
      }
      return output().contains("offset");
    });
  }

  private void killAfter(int delayMs) throws InterruptedException {
    if (process.waitFor(delayMs, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("ended by itself with " + process.exitValue() + ":\n" + output());
    }
    process.destroyForcibly().waitFor();
  }

  public String output() {
    try {
      return Files.readString(output, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(output);
  }
}
