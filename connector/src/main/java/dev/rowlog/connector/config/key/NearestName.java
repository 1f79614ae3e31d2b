package dev.rowlog.connector.config.key;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The name that a mistyped one most likely stands for: the smallest edit distance, at most a third of the name. */
public final class NearestName {
  private NearestName() {}

  public static Optional<String> of(String typed, Collection<String> names) {
    int most = Math.max(2, typed.length() / 3);
    return names.stream()
        .min(Comparator.comparingInt((String name) -> distance(typed, name)).thenComparing(Comparator.naturalOrder()))
        .filter(name -> distance(typed, name) <= most);
  }

  /** Levenshtein's distance. */
  static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitution = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(substitution, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
