package dev.rowlog.connector.cli.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlog.connector.cli.command.CommandContext;
import dev.rowlog.connector.cli.command.CommandFailure;
import dev.rowlog.connector.cli.command.CommonOptions;
import dev.rowlog.connector.cli.command.ExitCode;
import dev.rowlog.connector.cli.topic.LogOptions;
import dev.rowlog.engine.log.TopicPartition;
import dev.rowlog.engine.record.RecordBatchDecoder;
import dev.rowlog.engine.replay.DirectoryReader;
import dev.rowlog.engine.replay.LogCursor;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topic read}: the records of one log, up to the last commit, also beside the process that writes it. */
@Command(name = "read", description = "Print the records of a topic, as far as they are committed.", footer = {
    "", "Examples:",
    "  rowlog topic read shop.public.orders",
    "  rowlog topic read shop.public.orders --follow --format '%%o %%k %%v\\n'",
    "  rowlog topic read shop.public.orders --latest-per-key --max-messages 10",
    "  rowlog topic read orders-3 --data /var/lib/kafka/data --summary",
    "", "Formats:",
    "  json      one object a line: topic, offset, timestamp, key, value, headers;",
    "            key_base64, value_base64 where not UTF-8; value null: a tombstone",
    "  a string  %%o offset, %%k key, %%v value, %%t timestamp in ms, %%T topic,",
    "            %%h headers, %%%% percent, \\n \\t \\r \\\\; line ends in keys and values",
    "            become blanks; no line end is added: write the \\n",
    "docs/commands.md says what the digest of --summary is made of."})
public final class TopicReadCommand implements Callable<Integer> {
  /** How often a reader that follows looks for a new commit. */
  private static final Duration POLL = Duration.ofMillis(50);

  private static final int BUFFER_BYTES = 1 << 16;

  private final CommandContext context;

  @Mixin
  CommonOptions common;

  @Mixin
  private LogOptions which;

  @Option(names = "--from-beginning", description = "Start at the first record. The default, but with --follow.")
  private boolean fromBeginning;

  @Option(names = "--offset", paramLabel = "N", description = "Start at this offset, or the next one that exists.")
  private Long offset;

  @Option(names = "--follow", description = "Go on with new commits until Ctrl-C; starts at the end unless told otherwise.")
  private boolean follow;

  @Option(names = "--latest-per-key", description = "Only the newest record of each key (a tombstone where it was deleted).")
  private boolean latestPerKey;

  @Option(names = "--max-messages", paramLabel = "N", description = "Stop after this many records.")
  private Long maxMessages;

  @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "json", description = "json (the default), or a format string.")
  private String format;

  @Option(names = "--summary", description = "Print only counts, offsets, time and a digest, as one JSON object.")
  private boolean summary;

  public TopicReadCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    RecordPrinter printer = printer();
    check();
    context.stop().arm();
    long started = context.environment().nanoClock().getAsLong();
    try (DirectoryReader reader = which.open(context);
        OutputStream out = new BufferedOutputStream(context.output(), BUFFER_BYTES)) {
      TopicPartition log = which.find(reader);
      ReplaySummary counted = summary
          ? new ReplaySummary(log.topic(), context.environment().random().nextLong())
          : null;
      boolean stopped = read(reader, log, current -> {
        if (counted != null) {
          counted.add(current);
        } else {
          printer.print(log.topic(), current.record(), out);
        }
      }, out);
      if (counted != null) {
        ObjectNode json = counted
            .finish(TimeUnit.NANOSECONDS.toMillis(context.environment().nanoClock().getAsLong() - started));
        out.write((json + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return stopped ? context.stop().exitCode() : ExitCode.OK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RecordPrinter printer() {
    try {
      return RecordPrinter.of(format);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, e.getMessage());
    }
  }

  private void check() {
    if (fromBeginning && offset != null) {
      throw new CommandFailure(ExitCode.USAGE, "--from-beginning and --offset say different things: give one of them");
    }
    if (offset != null && offset < 0) {
      throw new CommandFailure(ExitCode.USAGE, "--offset " + offset + ": an offset is 0 or more");
    }
    if (maxMessages != null && maxMessages < 0) {
      throw new CommandFailure(ExitCode.USAGE, "--max-messages " + maxMessages + ": a count is 0 or more");
    }
  }

  /** Takes a record that is to be printed. */
  private interface Sink {
    void accept(RecordBatchDecoder current) throws IOException;
  }

  /** True where it ended because it was asked to. */
  private boolean read(DirectoryReader reader, TopicPartition log, Sink sink, OutputStream out) throws IOException {
    try (LogCursor cursor = reader.cursor(log, 0)) {
      // The end as it is now: what comes later is read only by --follow.
      long end = cursor.endOffset();
      long start = offset != null ? offset : follow && !fromBeginning && !latestPerKey ? end : 0;
      Map<ByteBuffer, Long> newest = latestPerKey ? newest(reader, log, start, end) : Map.of();
      return start == 0
          ? pass(cursor, end, newest, sink, out)
          : passFrom(reader, log, start, newest, sink, out);
    }
  }

  private boolean passFrom(
      DirectoryReader reader, TopicPartition log, long start, Map<ByteBuffer, Long> newest, Sink sink, OutputStream out)
      throws IOException {
    try (LogCursor cursor = reader.cursor(log, start)) {
      return pass(cursor, Math.max(cursor.endOffset(), start), newest, sink, out);
    }
  }

  private boolean pass(LogCursor cursor, long end, Map<ByteBuffer, Long> newest, Sink sink, OutputStream out)
      throws IOException {
    long left = maxMessages == null ? Long.MAX_VALUE : maxMessages;
    while (left > 0) {
      if (context.stop().isGiven()) {
        return true;
      }
      if (cursor.next()) {
        RecordBatchDecoder current = cursor.current();
        if (!latestPerKey || current.offset() >= end || isNewest(current, newest)) {
          sink.accept(current);
          left--;
        }
      } else if (!follow) {
        return false;
      } else if (!cursor.refresh()) {
        out.flush();
        context.stop().await(POLL);
      }
    }
    return false;
  }

  private static boolean isNewest(RecordBatchDecoder current, Map<ByteBuffer, Long> newest) {
    Long offset = newest.get(key(current));
    return offset != null && offset == current.offset();
  }

  /** Offset of the newest record of each key from {@code start} to {@code end}, exclusive. */
  private Map<ByteBuffer, Long> newest(DirectoryReader reader, TopicPartition log, long start, long end) {
    Map<ByteBuffer, Long> newest = new HashMap<>();
    try (LogCursor cursor = reader.cursor(log, start)) {
      while (!context.stop().isGiven() && cursor.next() && cursor.current().offset() < end) {
        newest.put(key(cursor.current()), cursor.current().offset());
      }
    }
    return newest;
  }

  private static ByteBuffer key(RecordBatchDecoder current) {
    byte[] key = new byte[Math.max(current.keyLength(), 0)];
    current.data().get(current.keyPosition(), key, 0, key.length);
    return ByteBuffer.wrap(key);
  }
}
