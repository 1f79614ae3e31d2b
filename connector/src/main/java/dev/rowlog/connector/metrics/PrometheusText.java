package dev.rowlog.connector.metrics;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prometheus' text format, version 0.0.4. Pure. */
public final class PrometheusText {
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private PrometheusText() {}

  /** Families without samples are left out. */
  public static String of(List<MetricFamily> families) {
    StringBuilder text = new StringBuilder();
    for (MetricFamily family : families) {
      if (!family.samples().isEmpty()) {
        text.append("# HELP ").append(family.name()).append(' ').append(family.help()).append('\n');
        text.append("# TYPE ").append(family.name()).append(' ')
            .append(family.type().name().toLowerCase(Locale.ROOT)).append('\n');
        family.samples().forEach(sample -> text.append(family.name()).append(sample.suffix())
            .append(labels(sample.labels())).append(' ').append(number(sample.value())).append('\n'));
      }
    }
    return text.toString();
  }

  private static String labels(Map<String, String> labels) {
    return labels.isEmpty()
        ? ""
        : new TreeMap<>(labels).entrySet().stream()
            .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + '"')
            .collect(Collectors.joining(",", "{", "}"));
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  /** Whole numbers without exponent, as every reader takes them. */
  private static String number(double value) {
    if (Double.isInfinite(value) || Double.isNaN(value)) {
      return Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Double.toString(value);
  }
}
