package dev.rowlog.connector.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * All samples of one name.
 *
 * @param name in base units, a counter's with {@code _total}
 * @param help one line
 */
public record MetricFamily(String name, Type type, String help, List<Sample> samples) {

  /** As the text format names them. */
  public enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM
  }

  /**
   * One value.
   *
   * @param suffix behind the family's name, for a histogram's parts; else empty
   */
  public record Sample(String suffix, Map<String, String> labels, double value) {
    public Sample {
      labels = Map.copyOf(new LinkedHashMap<>(labels));
    }
  }

  public MetricFamily {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    samples = List.copyOf(samples);
  }

  public static MetricFamily counter(String name, String help) {
    return new MetricFamily(name, Type.COUNTER, help, List.of());
  }

  public static MetricFamily gauge(String name, String help) {
    return new MetricFamily(name, Type.GAUGE, help, List.of());
  }

  /** With one more sample. */
  public MetricFamily with(double value, Map<String, String> labels) {
    return with(new Sample("", labels, value));
  }

  /** With one more sample. */
  public MetricFamily with(double value) {
    return with(value, Map.of());
  }

  MetricFamily with(Sample sample) {
    List<Sample> more = new ArrayList<>(samples);
    more.add(sample);
    return new MetricFamily(name, type, help, more);
  }
}
