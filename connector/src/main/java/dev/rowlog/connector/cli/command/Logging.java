package dev.rowlog.connector.cli.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.rowlog.connector.config.LoggingConfig;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * The process's log, on standard error: text for people at a terminal, a JSON object a line for machines. Libraries
 * speak from WARN on. One thread,
 * before the first line.
 */
public final class Logging {
  private static final String TEXT = "%d{\"yyyy-MM-dd HH:mm:ss.SSS\",UTC} %-5level %logger{0}: %msg%n";
  private static final List<String> QUIET_AT_WARN = List.of("io.debezium", "org.apache.kafka", "io.zonky");

  /** What they say at INFO helps nobody, not even with {@code --verbose}: pools, servers. */
  private static final List<String> ALWAYS_QUIET = List.of("com.zaxxer", "io.javalin", "org.eclipse.jetty");

  /** pgjdbc writes past us to the terminal what its exceptions say as well. Held, or the JDK would forget its level. */
  private static final java.util.logging.Logger PGJDBC = java.util.logging.Logger.getLogger("org.postgresql");

  private Logging() {}

  /** Reconfigures whatever stood before; {@code verbose} shows everything of ours and the libraries from INFO on. */
  public static void configure(LoggingConfig config, boolean verbose, boolean terminal) {
    boolean text = config.format().equals("text") || config.format().equals("auto") && terminal;
    Level own = Level.toLevel(verbose && config.level().equals("info") ? "debug" : config.level());
    configure(text, own, verbose ? Level.INFO : Level.WARN);
  }

  /** Errors only: for commands whose output is a screen of its own. */
  public static void quiet(boolean verbose) {
    configure(true, verbose ? Level.INFO : Level.ERROR, verbose ? Level.WARN : Level.OFF);
  }

  private static void configure(boolean text, Level own, Level libraries) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    PGJDBC.setLevel(java.util.logging.Level.OFF);
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName(text ? "text" : "json");
    appender.setTarget("System.err");
    appender.setEncoder(text ? textEncoder(context) : jsonEncoder(context));
    appender.start();
    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(appender);
    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(own);
    QUIET_AT_WARN.forEach(name -> context.getLogger(name).setLevel(libraries));
    Level quiet = libraries.isGreaterOrEqual(Level.WARN) ? libraries : Level.WARN;
    ALWAYS_QUIET.forEach(name -> context.getLogger(name).setLevel(quiet));
    // It warns of its own snapshot's parts, of names that its topics would get, and of types that share a name: none is used.
    context.getLogger("io.debezium.snapshot").setLevel(Level.ERROR);
    context.getLogger("io.debezium.schema.AbstractTopicNamingStrategy").setLevel(Level.ERROR);
    context.getLogger("io.debezium.connector.postgresql.TypeRegistry").setLevel(Level.ERROR);
    // Debezium's own statistics, which nobody reads here, are full under load; it says so for each event.
    context.getLogger("io.debezium.metrics.stats").setLevel(Level.ERROR);
    if (libraries.isGreaterOrEqual(Level.WARN)) {
      // Their stack traces of a failure that the mirror reports itself, in one line.
      context.getLogger("io.debezium.embedded.async").setLevel(Level.OFF);
      context.getLogger("io.debezium.pipeline.ErrorHandler").setLevel(Level.OFF);
      // It warns where a stop interrupts it, which loses nothing.
      context.getLogger("io.debezium.connector.postgresql.PostgresStreamingChangeEventSource").setLevel(Level.ERROR);
    }
  }

  private static Encoder<ILoggingEvent> textEncoder(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(TEXT);
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> jsonEncoder(LoggerContext context) {
    JsonEncoder encoder = new JsonEncoder();
    encoder.setContext(context);
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithMDC(false);
    encoder.setWithMarkers(false);
    encoder.setWithKVPList(false);
    encoder.setWithArguments(false);
    encoder.setWithMessage(false);
    encoder.setWithFormattedMessage(true);
    encoder.start();
    return encoder;
  }
}
