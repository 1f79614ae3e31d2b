package dev.rowlog.engine.record.codec;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * A few native contexts kept for reuse: they cost more to set up than a small batch to compress. Any thread.
 *
 * <p>Invariant: at most {@link #KEPT} idle contexts hold native memory, however many threads came by.
 */
final class NativePool<T> {
  private static final int KEPT = 8;

  private final ArrayBlockingQueue<T> idle = new ArrayBlockingQueue<>(KEPT);
  private final Supplier<T> factory;
  private final Consumer<T> close;

  NativePool(Supplier<T> factory, Consumer<T> close) {
    this.factory = factory;
    this.close = close;
  }

  /** Lends a context to {@code call}; one whose call failed is closed, since its state is unknown. */
  int use(ToIntFunction<T> call) {
    T context = idle.poll();
    if (context == null) {
      context = factory.get();
    }
    boolean reusable = false;
    try {
      int result = call.applyAsInt(context);
      reusable = idle.offer(context);
      return result;
    } finally {
      if (!reusable) {
        close.accept(context);
      }
    }
  }
}
