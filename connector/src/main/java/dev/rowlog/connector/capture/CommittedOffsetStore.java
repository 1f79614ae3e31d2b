package dev.rowlog.connector.capture;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.OffsetBackingStore;
import org.apache.kafka.connect.util.Callback;

/**
 * Debezium's offset store that stores nothing: the position is in our own commits (D6). It answers the last commit's LSN until Debezium has set
 * an offset in this run, then that one, since it holds the commit LSN by which Debezium lets the slot advance. Any thread. Made by the engine,
 * by its class name.
 */
public final class CommittedOffsetStore implements OffsetBackingStore {
  /** The engine's property that holds the last commit's LSN as a number. */
  static final String POSITION = "rowlog.position.lsn";

  private final Map<ByteBuffer, ByteBuffer> setInThisRun = new HashMap<>();
  private ByteBuffer committed;

  @Override
  public synchronized void configure(WorkerConfig config) {
    Object lsn = config.originals().get(POSITION);
    if (lsn == null) {
      throw new IllegalArgumentException("the engine has no property " + POSITION);
    }
    // Nothing but the LSN: more would make Debezium search the WAL for its place, and swallow messages meanwhile.
    committed = ByteBuffer.wrap(("{\"lsn\":" + Long.parseLong(lsn.toString()) + "}").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public synchronized Future<Map<ByteBuffer, ByteBuffer>> get(Collection<ByteBuffer> keys) {
    Map<ByteBuffer, ByteBuffer> found = new HashMap<>();
    for (ByteBuffer key : keys) {
      found.put(key, setInThisRun.getOrDefault(key, committed).duplicate());
    }
    return CompletableFuture.completedFuture(found);
  }

  @Override
  public synchronized Future<Void> set(Map<ByteBuffer, ByteBuffer> values, Callback<Void> callback) {
    values.forEach((key, value) -> setInThisRun.put(key.duplicate(), value.duplicate()));
    if (callback != null) {
      callback.onCompletion(null, null);
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Set<Map<String, Object>> connectorPartitions(String connectorName) {
    return Set.of();
  }
}
