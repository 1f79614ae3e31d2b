package dev.rowlog.engine.segment;

import java.util.Optional;

/**
 * The name of a segment's file: base offset, kind, state (Kafka {@code LogFileUtils}).
 *
 * @param baseOffset 20 digits in the name
 */
public record SegmentFileName(long baseOffset, Kind kind, State state) {

  /** Which file of a segment. */
  public enum Kind {
    LOG(".log"),
    INDEX(".index"),
    TIME_INDEX(".timeindex"),
    TRANSACTION_INDEX(".txnindex"),
    PRODUCER_SNAPSHOT(".snapshot");

    private final String extension;

    Kind(String extension) {
      this.extension = extension;
    }

    public String extension() {
      return extension;
    }
  }

  /** Where the file stands in a replacement: {@code .cleaned} → {@code .swap} → final; {@code .deleted} on its way out. */
  public enum State {
    FINAL(""),
    CLEANED(".cleaned"),
    SWAP(".swap"),
    DELETED(".deleted");

    private final String suffix;

    State(String suffix) {
      this.suffix = suffix;
    }

    public String suffix() {
      return suffix;
    }
  }

  /** Empty where the name is not a segment's file. */
  public static Optional<SegmentFileName> parse(String name) {
    throw new UnsupportedOperationException("skeleton");
  }

  public SegmentFileName withState(State newState) {
    return new SegmentFileName(baseOffset, kind, newState);
  }

  /** The file's name, such as {@code 00000000000000004096.log.swap}. */
  @Override
  public String toString() {
    throw new UnsupportedOperationException("skeleton");
  }
}
