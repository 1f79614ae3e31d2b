package dev.rowlog.connector.replay.jsonl;

import dev.rowlog.connector.replay.loop.ReplayListener;
import dev.rowlog.connector.replay.loop.ReplayView;
import dev.rowlog.connector.replay.spi.ReplayTable;
import dev.rowlog.connector.replay.spi.TargetException;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.replay.LogCursor;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The tables of one commit as files of their own, a row a line, each put in its place by a rename. One thread.
 *
 * <p>{@code rowlog-position.json} is written last: while it is there, all files are of the commit that it names.
 */
public final class JsonlExport {
  static final String POSITION = "rowlog-position.json";
  private static final String ENDING = ".jsonl";
  private static final String UNFINISHED = ".unfinished";
  private static final int BUFFER_BYTES = 1 << 18;
  private static final int RECORDS_A_REPORT = 10_000;

  private final Path directory;
  private final long budgetBytes;
  private final ReplayListener listener;
  private final BooleanSupplier stop;

  /**
   * @param budgetBytes heap that may be taken for keys
   */
  public JsonlExport(Path directory, long budgetBytes, ReplayListener listener, BooleanSupplier stop) {
    this.directory = directory;
    this.budgetBytes = budgetBytes;
    this.listener = listener;
    this.stop = stop;
  }

  /**
   * Rows by file; empty where it was asked to end: then nothing has changed.
   *
   * @throws TargetException where a file cannot be written
   */
  public Map<Path, Long> write(ReplayView view) {
    Map<Path, Long> rows = new LinkedHashMap<>();
    try {
      Files.createDirectories(directory);
      removeUnfinished();
      long left = view.tables().stream().mapToLong(view::endOffset).sum();
      for (ReplayTable table : view.tables()) {
        Path unfinished = directory.resolve("." + table.topic() + ENDING + UNFINISHED);
        long count = write(view, table, unfinished, left);
        if (stop.getAsBoolean()) {
          removeUnfinished();
          return Map.of();
        }
        left -= view.endOffset(table);
        rows.put(directory.resolve(table.topic() + ENDING), count);
      }
      putInPlace(view, rows);
      return rows;
    } catch (IOException e) {
      throw TargetException.refused("cannot write to " + directory + ": " + e.getMessage(), e);
    }
  }

  private void removeUnfinished() throws IOException {
    try (var files = Files.newDirectoryStream(directory, ".*" + ENDING + UNFINISHED)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  private long write(ReplayView view, ReplayTable table, Path file, long left) throws IOException {
    LiveOffsets live = LiveOffsets.of(() -> view.cursor(table, 0), budgetBytes);
    long end = view.endOffset(table);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
        LogCursor cursor = view.cursor(table, 0)) {
      byte[] line = new byte[0];
      long records = 0;
      while (cursor.next()) {
        RecordBatchDecoder current = cursor.current();
        if (live.contains(current.offset())) {
          int length = current.valueLength();
          line = line.length < length + 1 ? new byte[length * 2 + 1] : line;
          current.data().get(current.valuePosition(), line, 0, length);
          finishLine(line, length);
          out.write(line, 0, length + 1);
        }
        if (++records % RECORDS_A_REPORT == 0) {
          listener.moved(RECORDS_A_REPORT, Math.max(0, left - records));
          if (stop.getAsBoolean()) {
            return 0;
          }
        }
      }
      listener.moved(records % RECORDS_A_REPORT, Math.max(0, left - end));
      out.flush();
      channel.force(true);
    }
    return live.count();
  }

  /** Raw line ends stand outside strings only: a blank means the same. */
  private static void finishLine(byte[] line, int length) {
    for (int i = 0; i < length; i++) {
      if (line[i] == '\n' || line[i] == '\r') {
        line[i] = ' ';
      }
    }
    line[length] = '\n';
  }

  private void putInPlace(ReplayView view, Map<Path, Long> rows) throws IOException {
    Files.deleteIfExists(directory.resolve(POSITION));
    sync(directory);
    for (Path file : rows.keySet()) {
      Files.move(directory.resolve("." + file.getFileName() + UNFINISHED), file, StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
    sync(directory);
    Path unfinished = directory.resolve("." + POSITION + UNFINISHED);
    Files.writeString(unfinished, view.position(view.tables()).toJson() + "\n", StandardCharsets.UTF_8);
    sync(unfinished);
    Files.move(unfinished, directory.resolve(POSITION), StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    sync(directory);
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
