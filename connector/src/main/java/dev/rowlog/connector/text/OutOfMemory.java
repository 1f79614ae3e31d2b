package dev.rowlog.connector.text;

/** What to do about an {@link OutOfMemoryError}, in one sentence. Pure. */
public final class OutOfMemory {
  /** Where objects found no room. */
  public static final String HEAP = "out of memory: the Java heap is full; everything committed is safe: start again with"
      + " more, such as ROWLOG_HEAP=2g";

  /** Where buffers outside the heap found no room. */
  public static final String DIRECT = "out of memory: no direct memory is left; everything committed is safe: start again"
      + " with more, such as ROWLOG_DIRECT_MEMORY=1g";

  private static final String THREADS = "out of memory: the system starts no further thread; everything committed is safe:"
      + " raise its limit of processes (ulimit -u, pids.max) and start again";

  private OutOfMemory() {}

  public static String sentence(OutOfMemoryError error) {
    String said = String.valueOf(error.getMessage());
    if (said.contains("direct buffer") || said.contains("Direct buffer")) {
      return DIRECT;
    }
    return said.contains("native thread") ? THREADS : HEAP;
  }
}
