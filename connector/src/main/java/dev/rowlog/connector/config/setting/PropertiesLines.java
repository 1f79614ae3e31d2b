package dev.rowlog.connector.config.setting;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A properties file with the line of each key: the grammar of {@link Properties}, UTF-8, a key given twice is an error.
 */
final class PropertiesLines {
  private PropertiesLines() {}

  static List<Setting> read(Path file) {
    List<Setting> settings = new ArrayList<>();
    List<String> lines = lines(file);
    for (int i = 0; i < lines.size(); i++) {
      int first = i;
      if (isBlankOrComment(lines.get(i))) {
        continue;
      }
      StringBuilder logical = new StringBuilder(lines.get(i));
      while (isContinued(lines.get(i)) && i + 1 < lines.size()) {
        logical.append('\n').append(lines.get(++i));
      }
      parse(file, first + 1, logical.toString()).forEach((key, value) -> settings
          .add(new Setting((String) key, (String) value, new Origin.PropertiesFile(file, first + 1))));
    }
    return settings;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      throw new ConfigException("configuration file " + file + " is not UTF-8");
    } catch (IOException e) {
      throw new ConfigException("configuration file " + file + " cannot be read: " + reason(e));
    }
  }

  static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    return e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
  }

  private static Properties parse(Path file, int line, String logical) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(logical));
    } catch (IOException | IllegalArgumentException e) {
      throw new ConfigException("configuration file " + file + " line " + line + ": " + e.getMessage());
    }
    return properties;
  }

  private static boolean isBlankOrComment(String line) {
    String text = line.stripLeading();
    return text.isEmpty() || text.startsWith("#") || text.startsWith("!");
  }

  private static boolean isContinued(String line) {
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }
}
