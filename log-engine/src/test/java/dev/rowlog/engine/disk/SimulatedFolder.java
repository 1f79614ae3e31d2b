package dev.rowlog.engine.disk;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** The names of one folder: as processes see them, as the platter holds them, and the changes in between. */
final class SimulatedFolder implements SimulatedNode {
  private sealed interface Change {
    void apply(Map<String, SimulatedNode> names);

    List<String> touched();
  }

  private record Link(String name, SimulatedNode node) implements Change {
    @Override
    public void apply(Map<String, SimulatedNode> names) {
      names.put(name, node);
    }

    @Override
    public List<String> touched() {
      return List.of(name);
    }
  }

  private record Unlink(String name) implements Change {
    @Override
    public void apply(Map<String, SimulatedNode> names) {
      names.remove(name);
    }

    @Override
    public List<String> touched() {
      return List.of(name);
    }
  }

  /** Atomic: no reboot finds the file under both names or under none. */
  private record Rename(String from, String to) implements Change {
    @Override
    public void apply(Map<String, SimulatedNode> names) {
      names.put(to, names.remove(from));
    }

    @Override
    public List<String> touched() {
      return List.of(from, to);
    }
  }

  private final TreeMap<String, SimulatedNode> current;
  private final TreeMap<String, SimulatedNode> durable;
  private final List<Change> unsynced = new ArrayList<>();

  SimulatedFolder() {
    this(new TreeMap<>());
  }

  private SimulatedFolder(TreeMap<String, SimulatedNode> names) {
    this.current = names;
    this.durable = new TreeMap<>(names);
  }

  List<String> names() {
    return List.copyOf(current.keySet());
  }

  /** Null where there is none. */
  SimulatedNode get(String name) {
    return current.get(name);
  }

  void link(String name, SimulatedNode node) {
    change(new Link(name, node));
  }

  void unlink(String name) {
    change(new Unlink(name));
  }

  void rename(String from, String to) {
    change(new Rename(from, to));
  }

  private void change(Change change) {
    change.apply(current);
    unsynced.add(change);
  }

  void sync() {
    unsynced.forEach(change -> change.apply(durable));
    unsynced.clear();
  }

  @Override
  public SimulatedFolder reboot(RebootPolicy policy, Random random) {
    TreeMap<String, SimulatedNode> survived = new TreeMap<>(durable);
    survivors(policy.names(), random).forEach(change -> change.apply(survived));
    survived.replaceAll((name, node) -> node.reboot(policy, random));
    return new SimulatedFolder(survived);
  }

  private List<Change> survivors(RebootPolicy.Kept kept, Random random) {
    return switch (kept) {
      case NONE -> List.of();
      case ALL -> unsynced;
      case PREFIX -> unsynced.subList(0, random.nextInt(unsynced.size() + 1));
      case SUBSET -> subset(random);
    };
  }

  /**
   * A change is lost with every later one that touches a name of it: the order per name holds, as a journal keeps it.
   */
  private List<Change> subset(Random random) {
    List<Change> kept = new ArrayList<>();
    Set<String> lost = new HashSet<>();
    for (Change change : unsynced) {
      if (random.nextBoolean() && change.touched().stream().noneMatch(lost::contains)) {
        kept.add(change);
      } else {
        lost.addAll(change.touched());
      }
    }
    return kept;
  }
}
