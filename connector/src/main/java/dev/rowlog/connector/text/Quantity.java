package dev.rowlog.connector.text;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers as people read them: thousands apart, bytes in binary units, durations, times in UTC. Pure. */
public final class Quantity {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'", Locale.ROOT)
      .withZone(ZoneOffset.UTC);

  private Quantity() {}

  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** With its noun: {@code 1 record}, {@code 2 records}. */
  public static String count(long value, String noun) {
    return count(value) + " " + noun + (value == 1 ? "" : "s");
  }

  public static String bytes(long value) {
    double rest = value;
    int unit = 0;
    while (rest >= 1024 && unit < UNITS.length - 1) {
      rest /= 1024;
      unit++;
    }
    return unit == 0 ? value + " B" : String.format(Locale.ROOT, rest < 10 ? "%.1f %s" : "%.0f %s", rest, UNITS[unit]);
  }

  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", share * 100);
  }

  public static String duration(Duration duration) {
    long ms = duration.toMillis();
    if (ms < 1000) {
      return ms + " ms";
    }
    return ms < 60_000
        ? String.format(Locale.ROOT, "%.1f s", ms / 1000.0)
        : ms < 3_600_000
            ? (ms / 60_000) + " min " + (ms / 1000 % 60) + " s"
            : (ms / 3_600_000) + " h " + (ms / 60_000 % 60) + " min";
  }

  /**
   * @param epochMs -1 for none
   */
  public static String time(long epochMs) {
    return epochMs < 0 ? "-" : TIME.format(Instant.ofEpochMilli(epochMs));
  }
}
