package dev.rowlog.connector.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlog.connector.capture.slot.SlotRefusedException;
import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.TablePatterns;
import dev.rowlog.connector.mirror.MirrorEnd;
import dev.rowlog.connector.mirror.SourceRefusedException;
import dev.rowlog.connector.options.SourceOptions;
import dev.rowlog.connector.text.OutOfMemory;
import dev.rowlog.engine.error.LogClosedException;
import java.net.ConnectException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailurePolicyTest {
  private static final FailurePolicy POLICY = new FailurePolicy(new SourceOptions(
      new SourceAddress("db", 5432, "shop", "u", null, Map.of()), TablePatterns.parse("public.*"), "the_slot",
      "the_pub",
      Map.of()));

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "42704 | ERROR: publication \"the_pub\" does not exist              | publication the_pub was dropped",
      "42704 | FEHLER: Publikation »the_pub« existiert nicht              | publication the_pub was dropped",
      "42704 | ERROR: replication slot \"the_slot\" does not exist        | slot the_slot cannot be read any more",
      "55000 | ERROR: can no longer access replication slot \"the_slot\"  | slot the_slot cannot be read any more",
      "55000 | ERROR: logical decoding requires wal_level >= logical      | cannot be read any more",
      "58P01 | ERROR: requested WAL segment has already been removed      | cannot be read any more",
      "42501 | ERROR: permission denied to start WAL sender               | rowlog init prints the SQL",
      "42501 | ERROR: permission denied for table orders                  | rowlog init prints the SQL",
      "28P01 | FATAL: password authentication failed                      | check user and password",
      "28000 | FATAL: no pg_hba.conf entry                                | pg_hba.conf",
      "3D000 | FATAL: database \"shop\" does not exist                    | check the database's name"})
  void shouldEndWhereWaitingCuresNothing(String state, String message, String sentence) {
    // When
    Optional<MirrorEnd> end = POLICY.end(broken(new SQLException(message, state)));
    // Then
    assertThat(end).get().extracting(MirrorEnd::kind).isEqualTo(MirrorEnd.Kind.ENVIRONMENT);
    assertThat(end.orElseThrow().message()).contains(sentence).doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "57P01 | FATAL: terminating connection due to administrator command",
      "57P03 | FATAL: the database system is starting up",
      "08006 | An I/O error occurred while sending to the backend.",
      "53300 | FATAL: sorry, too many clients already",
      "55006 | ERROR: replication slot \"the_slot\" is active for PID 7",
      "42704 | ERROR: snapshot \"00000003-1\" does not exist",
      "40001 | ERROR: could not serialize access",
      "       | connection attempt timed out"})
  void shouldStartAgainAfterWhatPasses(String state, String message) {
    assertThat(POLICY.end(broken(new SQLException(message, state)))).isEmpty();
  }

  @Test
  void shouldTellOwnRefusalsInTheirOwnWords() {
    assertThat(POLICY.end(broken(new SlotRefusedException(SlotRefusedException.Reason.MISSING, "gone")))).get()
        .isEqualTo(new MirrorEnd(MirrorEnd.Kind.ENVIRONMENT, "gone"));
    assertThat(POLICY.end(new SlotRefusedException(SlotRefusedException.Reason.ACTIVE, "busy"))).isEmpty();
    assertThat(POLICY.end(new SourceRefusedException("no"))).get()
        .isEqualTo(new MirrorEnd(MirrorEnd.Kind.ENVIRONMENT, "no"));
    assertThat(POLICY.end(broken(new LogClosedException("closed", null)))).get()
        .isEqualTo(new MirrorEnd(MirrorEnd.Kind.FAILED, "closed"));
    assertThat(POLICY.end(new IllegalStateException(new ConnectException("refused")))).isEmpty();
    assertThat(POLICY.end(broken(new IllegalStateException(
        "Publication autocreation is disabled, please create one and restart the connector.")))).get()
        .extracting(MirrorEnd::message).asString().contains("publication the_pub was dropped");
  }

  @Test
  void shouldEndWhereMemoryIsShortWithTheSettingToRaise() {
    assertThat(POLICY.end(broken(new OutOfMemoryError("Java heap space")))).get()
        .isEqualTo(new MirrorEnd(MirrorEnd.Kind.FAILED, OutOfMemory.HEAP));
    assertThat(POLICY.end(broken(new OutOfMemoryError("Cannot reserve 9 bytes of direct buffer memory")))).get()
        .isEqualTo(new MirrorEnd(MirrorEnd.Kind.FAILED, OutOfMemory.DIRECT));
  }

  private static Throwable broken(Throwable cause) {
    return new IllegalStateException("the stream broke", new IllegalStateException("a task failed", cause));
  }
}
