package dev.rowlog.connector.demo;

import dev.rowlog.connector.RowlogApp;
import java.time.Duration;

/**
 * Ends a demo wherever it is: takes away what its worker stands on, until the worker ends. What the worker says of that
 * is of no interest. One thread, not the worker's; each wait is bounded.
 */
record DemoTeardown(DemoFolder folder, Thread worker) {
  /** For each of mirror and worker. */
  private static final Duration END = Duration.ofSeconds(5);
  private static final Duration GLANCE = Duration.ofMillis(100);

  /**
   * @param mirror null where it does not run yet: then the worker may be interrupted, since no file of a log is open
   */
  void run(RowlogApp mirror) throws InterruptedException {
    if (mirror == null) {
      worker.interrupt();
    }
    killPrograms();
    if (mirror != null) {
      Thread closer = new Thread(mirror::stop, "rowlog-demo-end");
      closer.setDaemon(true);
      closer.start();
      closer.join(END.toMillis());
    }
    for (long left = END.toMillis(); worker.isAlive() && left > 0; left -= GLANCE.toMillis()) {
      worker.join(GLANCE.toMillis());
      // What it started in the meantime.
      killPrograms();
    }
  }

  /** PostgreSQL's, all of them our children, or told by the pid file of its data directory. */
  private void killPrograms() {
    DemoLeftovers.server(folder.postgresData()).ifPresent(DemoLeftovers::stop);
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }
}
