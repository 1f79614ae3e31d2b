package dev.rowlog.connector.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.postgresql.util.GT;

class DriverMessageTest {
  @Test
  void shouldKnowAMessageInTheLanguageOfTheJvm() {
    // Given
    String open = "Could not open SSL root certificate file {0}.";

    // When Then
    assertThat(DriverMessage.is(GT.tr(open, "/etc/ca.pem"), open)).isTrue();
    assertThat(DriverMessage.is(GT.tr("The server does not support SSL."), "The server does not support SSL."))
        .isTrue();
    assertThat(DriverMessage.is(GT.tr(open, "/etc/ca.pem"), "The server does not support SSL.")).isFalse();
  }
}
