package dev.rowlog.engine.log.replacement;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DurableTextFile;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.segment.SegmentFileName;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.SegmentFileName.State;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The file that makes a replacement happen once it is durable: a line {@code source <base>} or {@code output <file name>
 * <bytes>} each, below the version. Immutable once read.
 */
record ReplacementPlan(Path file, Set<Long> sources, Map<SegmentFileName, Long> outputBytes) {
  private static final String VERSION = "0";

  static ReplacementPlan read(Disk disk, Path file) {
    List<String> lines = DurableTextFile.lines(disk, file);
    if (lines.isEmpty() || !lines.get(0).equals(VERSION)) {
      throw new CorruptLogException(file, 0, "expected version " + VERSION + " on the first line");
    }
    ReplacementPlan plan = new ReplacementPlan(file, new TreeSet<>(), new LinkedHashMap<>());
    lines.subList(1, lines.size()).forEach(plan::readLine);
    return plan;
  }

  private void readLine(String line) {
    String[] words = line.split(" ");
    try {
      if (words.length == 2 && words[0].equals("source")) {
        sources.add(Long.parseLong(words[1]));
        return;
      }
      Optional<SegmentFileName> output = words.length == 3 && words[0].equals("output")
          ? SegmentFileName.parse(words[1])
          : Optional.empty();
      if (output.isPresent()) {
        outputBytes.put(output.get(), Long.parseLong(words[2]));
        return;
      }
    } catch (NumberFormatException e) {
      throw new CorruptLogException(file, -1, malformed(line), e);
    }
    throw new CorruptLogException(file, -1, malformed(line));
  }

  private static String malformed(String line) {
    return "line '" + line + "' is neither a source nor an output";
  }

  /** Durable when it returns. */
  void write(Disk disk) {
    StringBuilder text = new StringBuilder(VERSION).append('\n');
    sources.forEach(source -> text.append("source ").append((long) source).append('\n'));
    outputBytes.forEach(
        (output, bytes) -> text.append("output ").append(output).append(' ').append((long) bytes).append('\n'));
    DurableTextFile.write(disk, file, text.toString());
  }

  /** Every step may have happened already, in any order: each looks at what is there. */
  String carryOut(SegmentFolder folder) {
    if (!isWhole(folder)) {
      return withoutOutputs(folder);
    }
    outputBytes.keySet().forEach(output -> moveToFinal(folder, output));
    folder.deleteAll(name -> sources.contains(name.baseOffset()) && name.state() == State.FINAL
        && !outputBytes.containsKey(name) && name.kind() != Kind.PRODUCER_SNAPSHOT);
    return "finished a replacement of segments by its plan";
  }

  /** As {@link #carryOut}, on the names alone. */
  void apply(
      SegmentFolder folder, Collection<SegmentFileName> names, NavigableMap<Long, SegmentFileName> readable) {
    if (isWhole(folder)) {
      readable.keySet().removeIf(base -> sources.contains(base) && !isOutput(base));
      for (State state : List.of(State.CLEANED, State.SWAP)) {
        SegmentFolder.logs(names, state).forEach((base, name) -> {
          if (isOutput(base)) {
            readable.put(base, name);
          }
        });
      }
    }
  }

  private boolean isOutput(long baseOffset) {
    return outputBytes.containsKey(new SegmentFileName(baseOffset, Kind.LOG, State.FINAL));
  }

  private boolean isWhole(SegmentFolder folder) {
    return outputBytes.entrySet().stream()
        .filter(output -> output.getKey().kind() == Kind.LOG)
        .allMatch(output -> hasSize(folder, output.getKey(), output.getValue()));
  }

  private static boolean hasSize(SegmentFolder folder, SegmentFileName output, long bytes) {
    for (State state : List.of(State.CLEANED, State.SWAP, State.FINAL)) {
      Path file = folder.path(output.withState(state));
      if (folder.disk().exists(file)) {
        return folder.disk().size(file) == bytes;
      }
    }
    return false;
  }

  /** A plan whose writing had failed, so that its outputs were given up: its sources are all there. */
  private String withoutOutputs(SegmentFolder folder) {
    for (long source : sources) {
      Path log = folder.path(new SegmentFileName(source, Kind.LOG, State.FINAL));
      if (!folder.disk().exists(log)) {
        throw new CorruptLogException(
            file, -1, "neither all outputs nor all sources of this replacement are there: missing is " + log
                + "; restore the log's files");
      }
    }
    return "ignored the plan of a replacement that was given up";
  }

  private static void moveToFinal(SegmentFolder folder, SegmentFileName output) {
    for (State state : List.of(State.CLEANED, State.SWAP)) {
      Path from = folder.path(output.withState(state));
      if (folder.disk().exists(from)) {
        folder.disk().rename(from, folder.path(output));
      }
    }
  }
}
