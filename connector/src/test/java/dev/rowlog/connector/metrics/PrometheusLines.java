package dev.rowlog.connector.metrics;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict reader of the text format, version 0.0.4: every sample belongs to the family announced above it, no name with labels comes twice.
 */
public record PrometheusLines(Map<String, String> types, Map<String, Double> samples) {
  private static final Pattern TYPE = Pattern.compile("# TYPE ([a-z_:][a-z0-9_:]*) (counter|gauge|histogram)");
  private static final Pattern HELP = Pattern.compile("# HELP ([a-z_:][a-z0-9_:]*) \\S.*");
  private static final Pattern LABEL = Pattern
      .compile("([a-z_][a-z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(?:,|$)");
  private static final Pattern SAMPLE = Pattern
      .compile("([a-z_:][a-z0-9_:]*)(?:\\{(.*)})? ([+-]?(?:[0-9.]+(?:E-?[0-9]+)?|Inf)|NaN)");

  public static PrometheusLines parse(String text) {
    if (!text.endsWith("\n")) {
      throw new AssertionError("the last line has no end");
    }
    Map<String, String> types = new LinkedHashMap<>();
    Map<String, Double> samples = new LinkedHashMap<>();
    Set<String> helped = new HashSet<>();
    String family = "";
    for (String line : text.split("\n")) {
      Matcher help = HELP.matcher(line);
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (help.matches()) {
        require(helped.add(help.group(1)), line);
      } else if (type.matches()) {
        family = type.group(1);
        require(types.put(family, type.group(2)) == null, line);
        require(helped.contains(family), line);
        require(type.group(2).equals("counter") == family.endsWith("_total"), line);
      } else {
        require(sample.matches(), line);
        String suffix = types.getOrDefault(family, "").equals("histogram") ? "(_bucket|_sum|_count)" : "";
        require(sample.group(1).matches(Pattern.quote(family) + suffix), line);
        String name = sample.group(1) + labels(sample.group(2), line);
        require(samples.put(name, Double.valueOf(sample.group(3).replace("Inf", "Infinity"))) == null, line);
      }
    }
    return new PrometheusLines(types, samples);
  }

  /** {@code {}} for none; sorted. */
  private static Map<String, String> labels(String text, String line) {
    Map<String, String> labels = new TreeMap<>();
    if (text != null) {
      Matcher label = LABEL.matcher(text);
      int end = 0;
      while (label.find()) {
        require(label.start() == end, line);
        end = label.end();
        labels.put(label.group(1), label.group(2));
      }
      require(end == text.length(), line);
    }
    return labels;
  }

  /**
   * @param sample such as {@code name{label=value}}, {@code name{}}
   */
  public double value(String sample) {
    if (!samples.containsKey(sample)) {
      throw new AssertionError("no " + sample + " among " + samples.keySet());
    }
    return samples.get(sample);
  }

  private static void require(boolean condition, String line) {
    if (!condition) {
      throw new AssertionError("not the text format: " + line);
    }
  }
}
