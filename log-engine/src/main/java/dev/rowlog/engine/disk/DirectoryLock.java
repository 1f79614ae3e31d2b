package dev.rowlog.engine.disk;

/** Keeps a data directory to one process while it is held. Any thread. */
public interface DirectoryLock extends AutoCloseable {
  /** Gives the lock back; the lock file stays. Fine to call twice. */
  @Override
  void close();
}
