package dev.rowlog.engine.segment;

import java.util.List;
import java.util.Optional;

/**
 * The name of a segment's file: base offset, kind, state (Kafka {@code LogFileUtils}).
 *
 * @param baseOffset 20 digits in the name
 */
public record SegmentFileName(long baseOffset, Kind kind, State state) {
  private static final int DIGITS = 20;
  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final List<State> STATES = List.of(State.values());

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

  /**
   * Where the file stands in a replacement: {@code .cleaned} → {@code .swap} → final; {@code .deleted} on its way
   * out.
   */
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

    private static Optional<SegmentFileName> ofSuffix(String name, int position, long baseOffset, Kind kind) {
      for (State state : STATES) {
        if (name.length() == position + state.suffix.length() && name.startsWith(state.suffix, position)) {
          return Optional.of(new SegmentFileName(baseOffset, kind, state));
        }
      }
      return Optional.empty();
    }
  }

  /**
   * Empty where the name is not a segment's file. By hand: folders of thousands of segments are listed again and
   * again.
   */
  public static Optional<SegmentFileName> parse(String name) {
    if (name.length() <= DIGITS) {
      return Optional.empty();
    }
    long baseOffset = 0;
    for (int i = 0; i < DIGITS; i++) {
      int digit = name.charAt(i) - '0';
      // 20 digits hold more than a long does; the largest offset has 19.
      if (digit < 0 || digit > 9 || baseOffset > (Long.MAX_VALUE - digit) / 10) {
        return Optional.empty();
      }
      baseOffset = 10 * baseOffset + digit;
    }
    for (Kind kind : KINDS) {
      if (name.startsWith(kind.extension, DIGITS)) {
        return State.ofSuffix(name, DIGITS + kind.extension.length(), baseOffset, kind);
      }
    }
    return Optional.empty();
  }

  public SegmentFileName withState(State newState) {
    return new SegmentFileName(baseOffset, kind, newState);
  }

  /** The file's name, such as {@code 00000000000000004096.log.swap}. */
  @Override
  public String toString() {
    String digits = Long.toString(baseOffset);
    return "0".repeat(DIGITS - digits.length()) + digits + kind.extension + state.suffix;
  }
}
