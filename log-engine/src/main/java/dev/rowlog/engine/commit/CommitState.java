package dev.rowlog.engine.commit;

import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.log.TopicId;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the batches of the commit log say together, read in order: the newest end of each log and the newest position. One thread.
 *
 * <p>A batch counts whole or not at all; the caller has checked its CRC.
 */
public final class CommitState {
  private final RecordBatchDecoder decoder = new RecordBatchDecoder();
  private final Map<TopicPartition, CommitRecord.End> ends = new HashMap<>();
  private byte[] position;
  private long commitOffset = -1;
  private long nextOffset;

  /**
   * Takes one valid batch; one that was taken before is skipped.
   *
   * @param file where it was read, for messages
   * @throws CorruptLogException where its records do not decode
   */
  public void apply(RecordBatch batch, Path file) {
    if (batch.nextOffset() <= nextOffset) {
      return;
    }
    try {
      decoder.open(batch);
      while (decoder.next()) {
        apply(CommitRecord.parse(decoder.record(), file), decoder.offset());
      }
    } catch (InvalidRecordException e) {
      throw new CorruptLogException(file, -1, e.getMessage(), e);
    }
    nextOffset = batch.nextOffset();
  }

  /** True where the commit names every governed log, so that those before it need not be read. */
  public static boolean isComplete(RecordBatch batch, Path file) {
    RecordBatchDecoder first = new RecordBatchDecoder();
    first.open(batch);
    return first.next() && CommitRecord.parse(first.record(), file) instanceof CommitRecord.Position position
        && position.isComplete();
  }

  private void apply(CommitRecord commitRecord, long offset) {
    if (commitRecord instanceof CommitRecord.Position newest) {
      position = newest.bytes();
      if (newest.isComplete()) {
        ends.clear();
      }
      commitOffset = offset;
    } else if (commitRecord instanceof CommitRecord.End end) {
      ends.put(end.log(), end);
    } else if (commitRecord instanceof CommitRecord.Removed removed) {
      ends.values().removeIf(end -> end.id().equals(removed.id()));
    }
  }

  /** Offset of the next commit batch. */
  public long nextOffset() {
    return nextOffset;
  }

  public CommittedEnds committed() {
    Map<TopicPartition, Long> endOffsets = new HashMap<>();
    ends.forEach((log, end) -> endOffsets.put(log, end.endOffset()));
    return new CommittedEnds(commitOffset, endOffsets, position);
  }

  Map<TopicPartition, CommitRecord.End> ends() {
    return ends;
  }

  /** The id under which the log was last committed; empty where no commit named it. */
  public Optional<TopicId> topicId(TopicPartition log) {
    return Optional.ofNullable(ends.get(log)).map(CommitRecord.End::id);
  }
}
