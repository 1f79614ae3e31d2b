package dev.rowlog.engine.log.config;

import dev.rowlog.engine.error.InvalidConfigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The keys of one kind of configuration in the documented order: what each may be, and where its value stands in a
 * {@code C}. Filled once, when the class loads.
 */
final class ConfigTable<C> {
  private final Map<String, Key<C>> keys = new LinkedHashMap<>();
  private final Map<String, ConfigRange> withoutEffect = new LinkedHashMap<>();

  private record Key<C>(ConfigRange range, Function<C, Object> value) {}

  /**
   * @param value prints in the form that {@code range} takes
   */
  ConfigTable<C> key(String name, ConfigRange range, Function<C, Object> value) {
    keys.put(name, new Key<>(range, value));
    return this;
  }

  /** A key of Kafka's that is checked and then forgotten. */
  ConfigTable<C> withoutEffect(String name, ConfigRange range) {
    withoutEffect.put(name, range);
    return this;
  }

  /** Every key with its value. */
  Map<String, String> toMap(C config) {
    Map<String, String> values = new LinkedHashMap<>();
    keys.forEach((name, key) -> values.put(name, key.value().apply(config).toString()));
    return values;
  }

  /**
   * Every key with its value, some of them set anew.
   *
   * @throws InvalidConfigException for an unknown key or a value outside its range
   */
  Map<String, String> toMap(C config, Map<String, String> changes) {
    Map<String, String> values = toMap(config);
    changes.forEach((name, value) -> {
      if (keys.containsKey(name)) {
        values.put(name, keys.get(name).range().check(name, value));
      } else if (withoutEffect.containsKey(name)) {
        withoutEffect.get(name).check(name, value);
      } else {
        throw ConfigRange.unknown(name, known());
      }
    });
    return values;
  }

  private List<String> known() {
    List<String> known = new ArrayList<>(keys.keySet());
    withoutEffect.keySet().stream().sorted().forEach(known::add);
    return known;
  }
}
