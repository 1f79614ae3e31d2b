package dev.rowlog.connector.demo;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.mirror.CommittedTransaction;
import dev.rowlog.connector.mirror.MirrorEnd;
import dev.rowlog.connector.mirror.MirrorListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Hears what the demo shows: the first row, the slot, each transaction. Any thread. */
final class DemoListener implements MirrorListener {
  private static final int SHOWN_RECORDS = 4;

  private final LongSupplier nanoClock;
  private final AtomicLong firstRowNanos = new AtomicLong(-1);
  private final AtomicReference<Lsn> slotPoint = new AtomicReference<>();
  private final AtomicReference<Consumer<CommittedTransaction>> shown = new AtomicReference<>(transaction -> {});
  private final BlockingQueue<CommittedTransaction> asked = new LinkedBlockingQueue<>();
  private volatile long askedFor = -1;

  DemoListener(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  @Override
  public int recordsPerTransaction() {
    return SHOWN_RECORDS;
  }

  @Override
  public void slotCreated(String slot, Lsn consistentPoint) {
    slotPoint.set(consistentPoint);
  }

  @Override
  public void snapshotDone(long rows, Duration elapsed) {
    firstRowNanos.compareAndSet(-1, nanoClock.getAsLong());
  }

  @Override
  public void committed(CommittedTransaction transaction) {
    // The stream carries 32 bits of a transaction's id, the database's functions give 64.
    if ((int) transaction.transactionId() == (int) askedFor && askedFor != -1) {
      askedFor = -1;
      asked.add(transaction);
    } else if (transaction.recordCount() > 0) {
      shown.get().accept(transaction);
    }
  }

  @Override
  public void stopped(MirrorEnd end) {
    asked.add(new CommittedTransaction(-1, new Lsn(0), 0, 0, List.of()));
  }

  /** Announced before the transaction commits. */
  void ask(long transactionId) {
    askedFor = transactionId;
  }

  /** The transaction that was asked for; null where it does not come in time. */
  CommittedTransaction answer(Duration timeout) throws InterruptedException {
    return asked.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** From now on every transaction that was not asked for. */
  void show(Consumer<CommittedTransaction> consumer) {
    shown.set(consumer);
  }

  /** Reading of the clock when the snapshot's rows were committed; -1 before. */
  long firstRowNanos() {
    return firstRowNanos.get();
  }

  /** Where the slot began; null before it was made. */
  Lsn slotPoint() {
    return slotPoint.get();
  }
}
