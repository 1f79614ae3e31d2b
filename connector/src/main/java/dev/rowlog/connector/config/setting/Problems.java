package dev.rowlog.connector.config.setting;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects what is wrong with a configuration, so that all of it is told at once. One thread. */
public final class Problems {
  private final List<String> found = new ArrayList<>();

  /** The part's value; null where it has problems. */
  public <T> T collect(Supplier<T> part) {
    try {
      return part.get();
    } catch (ConfigException e) {
      e.problems().stream().filter(problem -> !found.contains(problem)).forEach(found::add);
      return null;
    }
  }

  public void add(String problem) {
    found.add(problem);
  }

  public void remove(String problem) {
    found.remove(problem);
  }

  public List<String> found() {
    return List.copyOf(found);
  }

  /**
   * @throws ConfigException with every problem, where there is one
   */
  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw new ConfigException(found);
    }
  }
}
