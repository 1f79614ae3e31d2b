package dev.rowlog.engine.log.directory;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DurableTextFile;
import dev.rowlog.engine.error.UnsupportedFormatException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code meta.properties} of a data directory: Kafka's {@code version}, and our own format version beside it.
 *
 * <p>A folder of Kafka's, with a file of its own or with none, is taken as it is.
 */
public final class FormatVersion {
  static final String FILE = "meta.properties";

  private static final int OURS = 1;
  private static final int NEWEST_OF_KAFKA = 1;
  /** Version 1 must name a node and a cluster, which a folder of ours does not have. */
  private static final int KAFKA_WITHOUT_NODE = 0;
  private static final String OUR_KEY = "rowlog.format.version";
  private static final String KAFKA_KEY = "version";

  private FormatVersion() {}

  /**
   * @param isEmpty true where the folder holds no log: one without a file becomes ours
   * @throws UnsupportedFormatException for a newer version
   */
  static void ensureSupported(Disk disk, Path root, boolean isEmpty) {
    Path file = root.resolve(FILE);
    if (disk.exists(file)) {
      ensureAtMost(disk, file, OUR_KEY, OURS);
      ensureAtMost(disk, file, KAFKA_KEY, NEWEST_OF_KAFKA);
    } else if (isEmpty) {
      DurableTextFile.write(disk, file, KAFKA_KEY + "=" + KAFKA_WITHOUT_NODE + "\n" + OUR_KEY + "=" + OURS + "\n");
    }
  }

  /**
   * For a reader, which writes no file.
   *
   * @throws UnsupportedFormatException for a newer version
   */
  public static void ensureReadable(Disk disk, Path root) {
    ensureSupported(disk, root, false);
  }

  private static void ensureAtMost(Disk disk, Path file, String key, int newest) {
    Optional<String> found = DurableTextFile.lines(disk, file).stream()
        .filter(line -> line.startsWith(key + "="))
        .map(line -> line.substring(key.length() + 1).strip())
        .findFirst();
    if (found.isPresent() && !(found.get().matches("[0-9]{1,9}") && Integer.parseInt(found.get()) <= newest)) {
      throw new UnsupportedFormatException(
          file + ": " + key + " is '" + found.get() + "', this program reads versions up to " + newest
              + "; open the directory with the version that wrote it");
    }
  }
}
