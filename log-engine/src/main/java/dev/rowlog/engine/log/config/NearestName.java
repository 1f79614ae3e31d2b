package dev.rowlog.engine.log.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known name that a mistyped one is closest to, by edit distance. Pure. */
public final class NearestName {
  private NearestName() {}

  /** Empty where even the nearest needs more than a third of its characters changed. */
  public static Optional<String> of(String typed, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt((String name) -> distance(typed, name)).thenComparing(Comparator.naturalOrder()))
        .filter(name -> distance(typed, name) <= Math.max(2, name.length() / 3));
  }

  /** Levenshtein's. */
  static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
