package dev.rowlog.connector.sink;

import dev.rowlog.connector.change.SourceEvent;
import java.util.List;

/** Takes the events of the stream in order. One thread: the capture's. */
public interface MirrorSink {

  /**
   * Appends the events, commits up to the last boundary among them (an End, or a message outside a transaction), and
   * leaves the rest uncommitted.
   *
   * @return index in {@code events} of the last event that is durable, to be acknowledged; -1 for none
   */
  int accept(List<SourceEvent> events);

  /** Drops what an unfinished transaction left: called before each start of the capture. */
  void reset();
}
