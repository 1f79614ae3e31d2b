package dev.rowlog.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.cli.command.CommandFailure;
import dev.rowlog.connector.config.setting.ConfigException;
import dev.rowlog.engine.error.CorruptLogException;
import dev.rowlog.engine.error.DirectoryInUseException;
import dev.rowlog.engine.error.DiskFailureException;
import dev.rowlog.engine.error.InvalidConfigException;
import dev.rowlog.engine.error.OffsetOutOfRangeException;
import dev.rowlog.engine.error.UnknownTopicException;
import dev.rowlog.engine.error.UnsupportedFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureReportTest {

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new ConfigException("x"), 2),
        Arguments.of(new InvalidConfigException("segment.bytes", "x"), 2),
        Arguments.of(new UnknownTopicException("x"), 2),
        Arguments.of(new OffsetOutOfRangeException("t-0", 9, 0, 5), 2),
        Arguments.of(new DirectoryInUseException(Path.of("d")), 3),
        Arguments.of(new UnsupportedFormatException("x"), 3),
        Arguments.of(new SQLException("x"), 3),
        Arguments.of(new CorruptLogException(Path.of("f"), 7, "x"), 1),
        Arguments.of(new DiskFailureException("sync", Path.of("f"), new IOException("x")), 1),
        Arguments.of(new IllegalStateException("x"), 1),
        Arguments.of(new CommandFailure(4, "x"), 4));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void shouldGiveEachFailureItsExitCodeAndOneLine(Exception failure, int exitCode) {
    FailureReport report = FailureReport.of(failure);
    assertThat(report.exitCode()).isEqualTo(exitCode);
    assertThat(report.lines()).hasSize(1).allSatisfy(line -> assertThat(line).doesNotContain("\n"));
  }

  @Test
  void shouldSayEachProblemOfAConfigurationOnALine() {
    assertThat(FailureReport.of(new ConfigException(List.of("a", "b"))).lines()).containsExactly("a", "b");
  }

  @Test
  void shouldPutAMessageOfSeveralLinesOnOne() {
    assertThat(FailureReport.of(new SQLException("ERROR: a\n  Position: 3")).lines())
        .containsExactly("the database answered: ERROR: a Position: 3");
  }

  @Test
  void shouldTellABrokenPipeFromOtherFailures() {
    assertThat(FailureReport.isBrokenPipe(new UncheckedIOException(new IOException("Broken pipe")))).isTrue();
    assertThat(FailureReport.isBrokenPipe(new UncheckedIOException(new IOException("No space left on device"))))
        .isFalse();
  }
}
