package dev.rowlog.engine.commit;

import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import dev.rowlog.engine.log.TopicId;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.Record;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * One record of the commit log: the source position, or the end of one log (docs/format/commit-log.md). Pure.
 */
sealed interface CommitRecord {
  /** Key of the record that carries the source position. */
  byte[] POSITION_KEY = "position".getBytes(StandardCharsets.US_ASCII);

  /** Characters of a topic id. */
  int TOPIC_ID_LENGTH = 22;

  byte[] key();

  /** Null for a tombstone. */
  byte[] value();

  /** What the record's headers say beside key and value. */
  default List<Header> headers() {
    return List.of();
  }

  /**
   * @param bytes the writer's own
   * @param isComplete the commit names every governed log, not only those it touched: nothing before it need be read
   */
  record Position(byte[] bytes, boolean isComplete) implements CommitRecord {
    /** Name of the header that marks a complete commit. */
    static final String COMPLETE = "complete";

    @Override
    public List<Header> headers() {
      return isComplete ? List.of(new Header(COMPLETE, null)) : List.of();
    }

    @Override
    public byte[] key() {
      return POSITION_KEY;
    }

    @Override
    public byte[] value() {
      return bytes;
    }
  }

  /**
   * Where a log ends at this commit.
   *
   * @param endOffset exclusive
   */
  record End(TopicId id, long endOffset, TopicPartition log) implements CommitRecord {
    public End {
      if (endOffset < 0) {
        throw new IllegalArgumentException("end offset of " + log + " is negative: " + endOffset);
      }
    }

    @Override
    public byte[] key() {
      return id.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] value() {
      return (endOffset + " " + log.directoryName()).getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** The log of that id is governed no longer: it was removed. */
  record Removed(TopicId id) implements CommitRecord {
    @Override
    public byte[] key() {
      return id.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] value() {
      return null;
    }
  }

  /**
   * @param file where the record was read, for the message
   * @throws CorruptLogException where key or value do not follow the format
   * @throws UnsupportedFormatException for a kind of record that this version does not know
   */
  static CommitRecord parse(Record record, Path file) {
    byte[] key = record.key();
    if (Arrays.equals(key, POSITION_KEY)) {
      if (record.value() == null) {
        throw malformed(file, record, "the position has no value", null);
      }
      return new Position(
          record.value(), record.headers().stream().anyMatch(header -> header.key().equals(Position.COMPLETE)));
    }
    if (key == null || key.length != TOPIC_ID_LENGTH) {
      // Another key may carry what this version would have to act on: skipping it would lose records.
      throw new UnsupportedFormatException(
          file + ": the commit record at offset " + record.offset()
              + " has a key of another kind than position and topic id"
              + "; the directory was written by a newer version, open it with that one");
    }
    try {
      TopicId id = TopicId.parse(new String(key, StandardCharsets.US_ASCII));
      return record.value() == null
          ? new Removed(id)
          : parseEnd(id, new String(record.value(), StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException e) {
      throw malformed(file, record, e.getMessage(), e);
    }
  }

  private static End parseEnd(TopicId id, String text) {
    int blank = text.indexOf(' ');
    if (blank < 1 || !text.substring(0, blank).matches("0|[1-9][0-9]{0,18}")) {
      throw new IllegalArgumentException("expected '<end offset> <topic>-<partition>', found '" + text + "'");
    }
    TopicPartition log = TopicPartition.parseDirectoryName(text.substring(blank + 1))
        .orElseThrow(() -> new IllegalArgumentException("not the name of a log: '" + text.substring(blank + 1) + "'"));
    return new End(id, Long.parseLong(text.substring(0, blank)), log);
  }

  private static CorruptLogException malformed(Path file, Record record, String problem, Exception cause) {
    return new CorruptLogException(file, -1,
        "the commit record at offset " + record.offset() + " is malformed: " + problem,
        cause);
  }
}
