package dev.rowlog.engine.log.config;

import dev.rowlog.engine.error.InvalidConfigException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What the value of a key may be: pure checks whose messages name what was found and what is allowed. */
@FunctionalInterface
interface ConfigRange {
  /** The value in canonical form. */
  String check(String key, String value);

  static ConfigRange between(long min, long max) {
    return (key, value) -> {
      try {
        long number = Long.parseLong(value.strip());
        if (number >= min && number <= max) {
          return Long.toString(number);
        }
      } catch (NumberFormatException e) {
        throw invalid(key, value, "a whole number " + range(min, max));
      }
      throw invalid(key, value, "a whole number " + range(min, max));
    };
  }

  private static String range(long min, long max) {
    return max == Long.MAX_VALUE ? "from " + min + " on" : "from " + min + " to " + max;
  }

  static ConfigRange atLeast(long min) {
    return between(min, Long.MAX_VALUE);
  }

  static ConfigRange intAtLeast(int min) {
    return between(min, Integer.MAX_VALUE);
  }

  /** Above {@code min} where {@code exclusive}, else from it on. */
  static ConfigRange decimal(double min, boolean exclusive, double max) {
    return (key, value) -> {
      String allowed = "a number " + (exclusive ? "above " : "from ") + min
          + (max == Double.MAX_VALUE ? " on" : " to " + max);
      try {
        double number = Double.parseDouble(value.strip());
        if ((exclusive ? number > min : number >= min) && number <= max) {
          return value.strip();
        }
      } catch (NumberFormatException e) {
        throw invalid(key, value, allowed);
      }
      throw invalid(key, value, allowed);
    };
  }

  static ConfigRange oneOf(String... words) {
    List<String> allowed = List.of(words);
    return (key, value) -> {
      if (!allowed.contains(value.strip())) {
        throw invalid(key, value, "one of " + String.join(", ", allowed));
      }
      return value.strip();
    };
  }

  static InvalidConfigException invalid(String key, String value, String allowed) {
    return new InvalidConfigException(key, "'" + value + "' is not allowed; it takes " + allowed);
  }

  static InvalidConfigException unknown(String key, Collection<String> known) {
    Optional<String> nearest = NearestName.of(key, known);
    return new InvalidConfigException(
        key, "no such key"
            + nearest.map(name -> "; did you mean " + name + "?").orElse("; known are " + String.join(", ", known)));
  }
}
