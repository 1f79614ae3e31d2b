package dev.rowlog.connector.replay.spi;

import java.util.List;
import java.util.Optional;

/**
 * Where rows are replayed into. One thread. Every method but {@link #close} throws {@link TargetException}; after one that
 * is retryable the caller starts again with {@link #position}.
 *
 * <p>Invariant: rows and position go in one atomic step where the target has one, else the position right after the rows, so
 * that it never says more than is there. Applying the same rows again changes nothing.
 */
public interface Target extends AutoCloseable {

  /** For messages, without secrets: {@code Redis at 127.0.0.1:6379}. */
  String describe();

  /** Reaches the target; what it says where it stands, empty where it knows nothing of us. */
  Optional<TargetPosition> position();

  /** True where nothing is there under the names that the table would use. */
  boolean isEmpty(ReplayTable table);

  /** False where what was replayed into that building has gone; true where that cannot be told. */
  boolean holds(ReplayTable table, int generation);

  /** True where a table can be built beside the one that is read, and shown in a single switch. */
  boolean rebuildsBeside();

  /** What a person does where a table can neither go on nor be built beside: a sentence's end. */
  String howToStartOver(ReplayTable table);

  /** Readies the place of a building: empty, whatever an earlier attempt left there. */
  void create(ReplayTable table, int generation);

  /** Applies one batch and stores where the target stands after it. */
  void apply(List<TargetRows> rows, TargetPosition position);

  /** Shows buildings that have reached a commit in place of what was there, stores the position, removes what was there. */
  void publish(List<ReplayTable> tables, TargetPosition position);

  @Override
  void close();
}
