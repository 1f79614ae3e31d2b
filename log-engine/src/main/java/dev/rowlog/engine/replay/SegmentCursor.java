package dev.rowlog.engine.replay;

import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.InvalidRecordException;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.record.BatchAttributes;
import dev.rowlog.engine.record.Record;
import dev.rowlog.engine.record.RecordBatch;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.replay.view.HeldSegment;
import dev.rowlog.engine.replay.view.LogView;
import dev.rowlog.engine.replay.view.LogViews;
import dev.rowlog.engine.segment.BatchScanner;

/**
 * The one cursor: walks the batches of a held view, and changes to a newer view when told to.
 *
 * <p>Invariant: bytes at or beyond the view's end offset are never decoded, and never kept for a later view: until they are committed
 * they may be cut and written anew.
 */
final class SegmentCursor implements LogCursor {
  private static final int READ_BYTES = 256 * 1024;

  private final LogViews views;
  private final RecordBatchDecoder decoder = new RecordBatchDecoder();

  private LogView view;

  /** Segment of the view that is read, or read next. */
  private int index;

  private BatchScanner batches;
  private boolean isScanning;

  /** Next offset after the last batch seen in the segment, or its base: offsets only rise. */
  private long segmentNextOffset;

  /** True where the scanner stands at a batch of the segment. */
  private boolean isBatchKnown;

  private boolean isInBatch;
  private long batchNextOffset;
  private long position;
  private boolean isClosed;

  private SegmentCursor(LogViews views, LogView view, long position) {
    this.views = views;
    this.view = view;
    this.position = position;
  }

  /**
   * @param offset where to begin; below the log start: there
   * @throws OffsetOutOfRangeException beyond the end that may be read
   */
  static SegmentCursor open(LogViews views, long offset) {
    LogView view = views.hold(offset);
    if (offset > view.endOffset()) {
      view.release();
      throw new OffsetOutOfRangeException(views.name(), offset, view.logStartOffset(), view.endOffset());
    }
    return new SegmentCursor(views, view, Math.max(offset, view.logStartOffset()));
  }

  @Override
  public boolean next() {
    try {
      return advance();
    } catch (InvalidRecordException e) {
      // The CRC holds, and still the bytes are no batch.
      throw new CorruptLogException(view.segments().get(index).path(), batches.position(), e.getMessage(), e);
    }
  }

  private boolean advance() {
    while (true) {
      if (isInBatch && nextInBatch()) {
        return true;
      }
      if (position >= view.endOffset() || !nextBatch()) {
        isScanning = false;
        return false;
      }
    }
  }

  private boolean nextInBatch() {
    while (decoder.next()) {
      long offset = decoder.offset();
      if (offset >= view.endOffset()) {
        break;
      }
      if (offset >= position) {
        position = offset + 1;
        return true;
      }
    }
    isInBatch = false;
    advanceTo(batchNextOffset);
    return false;
  }

  /** Never beyond the end: what lies there may not have been written yet. */
  private void advanceTo(long offset) {
    position = Math.max(position, Math.min(offset, view.endOffset()));
  }

  private boolean nextBatch() {
    while (index < view.segments().size()) {
      HeldSegment segment = view.segments().get(index);
      startScan(segment);
      while (batches.next()) {
        RecordBatch batch = batches.batch();
        isBatchKnown = true;
        ensureRising(segment, batch);
        if (batch.baseOffset() >= view.endOffset()) {
          advanceTo(view.endOffset());
          return false;
        }
        if (batch.nextOffset() > position) {
          batch.ensureValid(segment.path(), batches.position());
          if (open(batch)) {
            return true;
          }
        }
        if (position >= view.endOffset()) {
          return false;
        }
      }
      leave(segment);
    }
    return false;
  }

  private void startScan(HeldSegment segment) {
    if (isScanning) {
      return;
    }
    long from = segment.floorPosition(position);
    if (batches == null) {
      batches = new BatchScanner(segment.file(), from, segment.sizeBytes(), READ_BYTES);
    } else {
      batches.reset(segment.file(), from, segment.sizeBytes());
    }
    segmentNextOffset = segment.baseOffset();
    isBatchKnown = false;
    isScanning = true;
  }

  /** True where the batch has records for the reader; else the position has moved past it. */
  private boolean open(RecordBatch batch) {
    batchNextOffset = batch.nextOffset();
    boolean isControl = (batch.attributeBits() & BatchAttributes.CONTROL) != 0;
    if (isControl || view.abortedTransactions().contains(batch)) {
      advanceTo(batchNextOffset);
      return false;
    }
    decoder.open(batch);
    isInBatch = true;
    return true;
  }

  /** Base offsets are outside the CRC: their order is what vouches for them. */
  private void ensureRising(HeldSegment segment, RecordBatch batch) {
    long limit = index + 1 < view.segments().size() ? view.segments().get(index + 1).baseOffset() : Long.MAX_VALUE;
    if (batch.baseOffset() < segmentNextOffset || batch.lastOffset() < batch.baseOffset()
        || batch.lastOffset() >= limit) {
      throw new CorruptLogException(
          segment.path(), batches.position(),
          "a batch with offsets " + batch.baseOffset() + " to " + batch.lastOffset() + " is outside "
              + segmentNextOffset + " to "
              + limit + " (exclusive)");
    }
    segmentNextOffset = batch.nextOffset();
  }

  /** The segment's bytes are at their end, the position is below the view's. */
  private void leave(HeldSegment segment) {
    long nextBase = index + 1 < view.segments().size() ? view.segments().get(index + 1).baseOffset() : Long.MAX_VALUE;
    // Cleaning may take a segment's last offsets, but never the last one that is committed.
    if (nextBase >= view.endOffset() && segmentNextOffset < view.endOffset()) {
      throw new CorruptLogException(
          segment.path(), segment.sizeBytes(),
          "the log ends at offset " + segmentNextOffset + ", but it is committed to " + view.endOffset());
    }
    index++;
    isScanning = false;
    isBatchKnown = false;
    segment.release();
    advanceTo(nextBase);
  }

  @Override
  public Record record() {
    return decoder.record();
  }

  @Override
  public RecordBatchDecoder current() {
    return decoder;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long endOffset() {
    return view.endOffset();
  }

  @Override
  public boolean refresh() {
    views.holdIfNewer(view.endOffset(), position).ifPresent(newer -> {
      releaseView();
      view = newer;
      index = 0;
      isScanning = false;
      isInBatch = false;
      position = Math.max(position, newer.logStartOffset());
    });
    return position < view.endOffset();
  }

  private void releaseView() {
    if (isBatchKnown) {
      view.segments().get(index).readUpTo(batches.batch().baseOffset(), batches.position());
      isBatchKnown = false;
    }
    for (; index < view.segments().size(); index++) {
      view.segments().get(index).release();
    }
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      releaseView();
    }
  }
}
