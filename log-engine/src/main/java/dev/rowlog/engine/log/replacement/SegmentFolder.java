package dev.rowlog.engine.log.replacement;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.segment.SegmentFileName;
import dev.rowlog.engine.segment.SegmentFileName.Kind;
import dev.rowlog.engine.segment.SegmentFileName.State;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The segment files of one log's folder, by their names. No state of its own: each look is a new one. */
record SegmentFolder(Disk disk, Path path) {

  Path path(SegmentFileName name) {
    return path.resolve(name.toString());
  }

  List<SegmentFileName> names() {
    return disk.list(path).stream().map(SegmentFileName::parse).flatMap(Optional::stream).toList();
  }

  List<SegmentFileName> names(State state) {
    return names().stream().filter(name -> name.state() == state).toList();
  }

  /** True where there was any. */
  boolean deleteAll(Predicate<SegmentFileName> selection) {
    List<SegmentFileName> selected = names().stream().filter(selection).toList();
    selected.forEach(name -> disk.delete(path(name)));
    return !selected.isEmpty();
  }

  /** The {@code .log} files of that state by base offset, ascending. */
  static NavigableMap<Long, SegmentFileName> logs(Collection<SegmentFileName> names, State state) {
    NavigableMap<Long, SegmentFileName> logs = new TreeMap<>();
    names.stream().filter(name -> name.kind() == Kind.LOG && name.state() == state)
        .forEach(name -> logs.put(name.baseOffset(), name));
    return logs;
  }
}
