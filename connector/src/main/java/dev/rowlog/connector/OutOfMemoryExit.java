package dev.rowlog.connector;

import dev.rowlog.connector.text.OutOfMemory;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Ends the process, with exit code 1 and one sentence, where a thread dies for want of memory: what goes on without that
 * thread would only seem to work. Nothing is lost, since nothing but commits is durable. Made before memory is short: it
 * allocates nothing that it could do without. Any thread.
 */
final class OutOfMemoryExit implements Thread.UncaughtExceptionHandler {
  private static final int RUNTIME = 1;

  private final byte[] heap = line(OutOfMemory.HEAP);
  private final FileOutputStream error = new FileOutputStream(FileDescriptor.err);

  private static byte[] line(String sentence) {
    return ("rowlog: " + sentence + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void uncaughtException(Thread thread, Throwable failure) {
    if (failure instanceof OutOfMemoryError outOfMemory) {
      halt(outOfMemory);
    }
    System.err.print("Exception in thread \"" + thread.getName() + "\" ");
    failure.printStackTrace();
  }

  private void halt(OutOfMemoryError failure) {
    try {
      byte[] line = heap;
      try {
        line = line(OutOfMemory.sentence(failure));
      } catch (OutOfMemoryError again) {
        // The heap it is.
        line = heap;
      }
      error.write(line);
    } catch (IOException | OutOfMemoryError e) {
      // Nobody listens, or nothing is left to speak with: the exit code says it.
      Runtime.getRuntime().halt(RUNTIME);
    } finally {
      Runtime.getRuntime().halt(RUNTIME);
    }
  }
}
