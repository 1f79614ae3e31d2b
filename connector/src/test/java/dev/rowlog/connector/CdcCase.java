package dev.rowlog.connector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.postgresql.core.Parser;

/**
 * A case of {@code resources/cases}: SQL before the mirror and beside it, a query with the rows that it gives at the end, and the keys that are deleted. Sections
 * begin with {@code ---}; schemas are {@code c} and the number, then anything but a digit.
 *
 * @param name the number and a few words
 */
record CdcCase(String name, List<String> lines) {

  static List<CdcCase> all() {
    try (Stream<Path> files = Files.list(Path.of(CdcCase.class.getResource("/cases").toURI()))) {
      return files.sorted().map(CdcCase::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static CdcCase read(Path file) {
    try {
      return new CdcCase(file.getFileName().toString().replace(".txt", ""), Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }

  String schema() {
    return "c" + Integer.parseInt(name.substring(0, 3));
  }

  boolean hasSchema(String candidate) {
    return candidate.matches(schema() + "([^0-9].*)?");
  }

  List<String> section(String wanted) {
    List<String> found = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      if (line.startsWith("--- ")) {
        inside = line.substring(4).equals(wanted);
      } else if (inside) {
        found.add(line);
      }
    }
    return found;
  }

  /** One statement each. */
  List<String> statements(String section) {
    try {
      return Parser.parseJdbcSql(String.join("\n", section(section)), true, false, true, false, true).stream()
          .map(query -> query.nativeSql).map(String::strip).filter(sql -> !sql.isEmpty()).toList();
    } catch (SQLException e) {
      throw new AssertionError(name, e);
    }
  }

  /** What the query gives at the end, a line a row as psql prints it. */
  List<List<String>> rows() {
    return section("rows").stream().skip(2).map(line -> Stream.of(line.split("\\|", -1)).map(String::strip).toList())
        .toList();
  }

  /** Keys of a table that must be gone; {@code * 0..9/3} stands for ids in steps. */
  Set<String> deleted(String table) {
    Set<String> keys = new TreeSet<>();
    for (String line : section("deleted")) {
      if (line.startsWith(table + " {")) {
        keys.add(line.substring(table.length() + 1));
      } else if (line.startsWith(table + " * ")) {
        String[] range = line.substring(table.length() + 3).split("\\.\\.|/");
        int step = range.length > 2 ? Integer.parseInt(range[2]) : 1;
        for (int id = Integer.parseInt(range[0]); id <= Integer.parseInt(range[1]); id += step) {
          keys.add("{\"id\":" + id + "}");
        }
      }
    }
    return keys;
  }

  @Override
  public String toString() {
    return name;
  }
}
