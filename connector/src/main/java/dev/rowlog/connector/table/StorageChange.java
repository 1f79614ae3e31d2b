package dev.rowlog.connector.table;

import dev.rowlog.connector.catalog.StoredPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happened to the relations that hold a table's rows, between two looks at the catalog: most of it sends no event.
 *
 * @param broken why rows changed without an event; empty where that is not known
 * @param added partitions that were not there: rows that they had before they were attached are missing
 * @param emptied partitions with another file and the same columns: TRUNCATE of the partition, which sends no event, TRUNCATE of the root, which does,
 *     or VACUUM FULL
 */
public record StorageChange(Optional<String> broken, List<StoredPart> added, List<StoredPart> emptied) {
  public StorageChange {
    added = List.copyOf(added);
    emptied = List.copyOf(emptied);
  }

  static StorageChange between(List<StoredPart> before, List<StoredPart> after) {
    Map<Long, StoredPart> now = new HashMap<>();
    after.forEach(part -> now.put(part.oid(), part));
    List<StoredPart> emptied = new ArrayList<>();
    for (StoredPart part : before) {
      StoredPart next = now.remove(part.oid());
      Optional<String> broken = broken(part, next);
      if (broken.isPresent()) {
        return new StorageChange(broken, List.of(), List.of());
      }
      if (part.file() != next.file() && !part.attached().isEmpty()) {
        emptied.add(next);
      }
    }
    return new StorageChange(Optional.empty(), List.copyOf(now.values()), emptied);
  }

  private static Optional<String> broken(StoredPart part, StoredPart next) {
    if (next == null) {
      return Optional.of("partition " + part.id() + " was detached or dropped");
    }
    if (!part.attached().equals(next.attached())) {
      return Optional.of(part.attached().isEmpty()
          ? part.id() + " was attached to another table as a partition"
          : "partition " + part.id() + " was detached and attached again");
    }
    return part.file() != next.file() && !part.columns().equals(next.columns())
        ? Optional.of("ALTER TABLE may have written all rows of " + part.id() + " again with other values")
        : Optional.empty();
  }
}
