package dev.rowlog.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** A page of docs/format, so that tests can hold the code to it. */
public final class FormatPage {
  private final Path file;
  private final List<String> lines;

  private FormatPage(Path file, List<String> lines) {
    this.file = file;
    this.lines = lines;
  }

  /**
   * @param name such as {@code record-batch.md}
   */
  public static FormatPage read(String name) {
    Path file = Path.of("..", "docs", "format", name);
    try {
      return new FormatPage(file, Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException("tests run in the folder of their module, " + file + " must be there", e);
    }
  }

  /** The bytes of the {@code index}-th block fenced as {@code hex}; what follows a semicolon is a comment. */
  public byte[] hex(int index) {
    int start = 0;
    for (int block = 0; block <= index; block++) {
      start = 1 + find("```hex", start);
    }
    String digits = lines.subList(start, find("```", start)).stream()
        .map(line -> line.split(";", 2)[0].replace(" ", ""))
        .collect(Collectors.joining());
    return HexFormat.of().parseHex(digits);
  }

  /** The rows of the first table below the heading (without its #), each as its trimmed cells; no title row. */
  public List<List<String>> table(String heading) {
    int at = find("## " + heading, 0);
    while (!lines.get(at).startsWith("|")) {
      at++;
    }
    int end = at;
    while (end < lines.size() && lines.get(end).startsWith("|")) {
      end++;
    }
    return lines.subList(at + 2, end).stream()
        .map(row -> Arrays.stream(row.substring(1).split("\\|")).map(String::trim).toList())
        .toList();
  }

  private int find(String line, int from) {
    for (int i = from; i < lines.size(); i++) {
      if (lines.get(i).equals(line)) {
        return i;
      }
    }
    throw new AssertionError(file + " has no line '" + line + "' from line " + (from + 1) + " on");
  }
}
