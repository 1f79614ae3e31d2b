package dev.rowlog.engine.inspect;

import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.replay.DirectoryReader;

/** Prints what lies in one segment, batch by batch, as it is: uncommitted, control and aborted batches too. */
public final class SegmentDump {

  /** Gets each batch, and each of its records where it is valid. */
  public interface Visitor {
    void batch(BatchDescription batch);

    /** The fields are valid until it returns. */
    default void record(RecordBatchDecoder current) {}
  }

  private SegmentDump() {}

  /**
   * @param baseOffset names the segment
   * @throws dev.rowlog.engine.error.OffsetOutOfRangeException where there is no such segment
   * @throws dev.rowlog.engine.error.CorruptLogException where the bytes are no batch, after those before it were shown
   */
  public static void dump(DirectoryReader reader, TopicPartition log, long baseOffset, Visitor visitor) {
    throw new UnsupportedOperationException("skeleton");
  }
}
