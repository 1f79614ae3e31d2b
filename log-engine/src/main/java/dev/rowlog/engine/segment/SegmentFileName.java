package dev.rowlog.engine.segment;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a segment's file: base offset, kind, state (Kafka {@code LogFileUtils}).
 *
 * @param baseOffset 20 digits in the name
 */
public record SegmentFileName(long baseOffset, Kind kind, State state) {
  private static final Pattern NAME = Pattern
      .compile("([0-9]{20})(\\.(?:log|index|timeindex|txnindex|snapshot))((?:\\.(?:cleaned|swap|deleted))?)");

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

    private static Kind ofExtension(String extension) {
      for (Kind kind : values()) {
        if (kind.extension.equals(extension)) {
          return kind;
        }
      }
      throw new IllegalArgumentException("not an extension of a segment file: " + extension);
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

    private static State ofSuffix(String suffix) {
      for (State state : values()) {
        if (state.suffix.equals(suffix)) {
          return state;
        }
      }
      throw new IllegalArgumentException("not a suffix of a segment file: " + suffix);
    }
  }

  /** Empty where the name is not a segment's file. */
  public static Optional<SegmentFileName> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    // 20 digits hold more than a long does; the largest offset has 19.
    if (!matcher.matches() || matcher.group(1).compareTo("09223372036854775807") > 0) {
      return Optional.empty();
    }
    return Optional.of(
        new SegmentFileName(
            Long.parseLong(matcher.group(1)), Kind.ofExtension(matcher.group(2)), State.ofSuffix(matcher.group(3))));
  }

  public SegmentFileName withState(State newState) {
    return new SegmentFileName(baseOffset, kind, newState);
  }

  /** The file's name, such as {@code 00000000000000004096.log.swap}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%020d", baseOffset) + kind.extension() + state.suffix();
  }
}
