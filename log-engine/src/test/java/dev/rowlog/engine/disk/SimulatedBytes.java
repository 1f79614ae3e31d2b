package dev.rowlog.engine.disk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The bytes behind a name: as processes see them, as the platter holds them, and the changes in between. */
final class SimulatedBytes implements SimulatedNode {
  static final int SECTOR_BYTES = 512;

  private sealed interface Change {}

  private record Write(int position, byte[] bytes) implements Change {}

  private record Resize(int size) implements Change {}

  private final long id;
  private final Content current;
  private final Content durable;
  private final List<Change> unsynced = new ArrayList<>();
  private long lastModified;

  SimulatedBytes(long id, long lastModified) {
    this(id, lastModified, new Content());
  }

  private SimulatedBytes(long id, long lastModified, Content content) {
    this.id = id;
    this.lastModified = lastModified;
    this.current = content;
    this.durable = content.copy();
  }

  long id() {
    return id;
  }

  int size() {
    return current.size;
  }

  byte[] array() {
    return current.bytes;
  }

  long lastModified() {
    return lastModified;
  }

  void setLastModified(long epochMs) {
    lastModified = epochMs;
  }

  void write(int position, byte[] bytes) {
    change(new Write(position, bytes));
  }

  void resize(int size) {
    change(new Resize(size));
  }

  private void change(Change change) {
    current.apply(change);
    unsynced.add(change);
  }

  void sync() {
    unsynced.forEach(durable::apply);
    unsynced.clear();
  }

  /**
   * A sync that the device refused: the system forgets which pages were dirty, so processes go on seeing bytes that no
   * later sync writes.
   */
  void loseUnsynced() {
    unsynced.clear();
  }

  @Override
  public SimulatedBytes reboot(RebootPolicy policy, Random random) {
    Content survived = durable.copy();
    switch (policy.bytes()) {
      case NONE -> {
      }
      case ALL -> unsynced.forEach(survived::apply);
      case PREFIX -> applyPrefix(survived, random);
      case SUBSET -> unsynced.forEach(change -> applySubset(survived, change, random));
    }
    return new SimulatedBytes(id, lastModified, survived);
  }

  private void applyPrefix(Content survived, Random random) {
    int count = random.nextInt(unsynced.size() + 1);
    unsynced.subList(0, count).forEach(survived::apply);
    if (count < unsynced.size() && unsynced.get(count) instanceof Write write) {
      int torn = random.nextInt(write.bytes.length + 1);
      survived.apply(new Write(write.position, Arrays.copyOf(write.bytes, torn)));
    }
  }

  private static void applySubset(Content survived, Change change, Random random) {
    if (!(change instanceof Write write)) {
      if (random.nextBoolean()) {
        survived.apply(change);
      }
      return;
    }
    int end = write.position + write.bytes.length;
    for (int from = write.position; from < end;) {
      int to = Math.min(end, from - from % SECTOR_BYTES + SECTOR_BYTES);
      if (random.nextBoolean()) {
        byte[] sector = Arrays.copyOfRange(write.bytes, from - write.position, to - write.position);
        survived.apply(new Write(from, sector));
      }
      from = to;
    }
  }

  private static final class Content {
    private byte[] bytes;
    private int size;

    Content() {
      this(new byte[0]);
    }

    private Content(byte[] bytes) {
      this.bytes = bytes;
      this.size = bytes.length;
    }

    Content copy() {
      return new Content(Arrays.copyOf(bytes, size));
    }

    void apply(Change change) {
      if (change instanceof Write write) {
        if (write.bytes.length > 0) {
          resize(Math.max(size, write.position + write.bytes.length));
          System.arraycopy(write.bytes, 0, bytes, write.position, write.bytes.length);
        }
      } else {
        resize(((Resize) change).size);
      }
    }

    private void resize(int newSize) {
      if (newSize > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(newSize, 2 * bytes.length));
      } else if (newSize < size) {
        // What a file regains after a truncation reads as zeros.
        Arrays.fill(bytes, newSize, size, (byte) 0);
      }
      size = newSize;
    }
  }
}
