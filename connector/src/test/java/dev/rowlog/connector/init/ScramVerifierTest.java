package dev.rowlog.connector.init;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import org.junit.jupiter.api.Test;

class ScramVerifierTest {

  /** The exchange of RFC 7677, chapter 3: user, "pencil". Its server key signs what the RFC's server says. */
  @Test
  void shouldAgreeWithTheExampleOfTheRfc() throws Exception {
    // Given
    byte[] salt = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");
    // When
    String verifier = ScramVerifier.of("pencil", salt);
    // Then
    assertThat(verifier).startsWith("SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$");
    byte[] serverKey = Base64.getDecoder().decode(verifier.substring(verifier.lastIndexOf(':') + 1));
    javax.crypto.Mac mac = javax.crypto.Mac.getInstance("HmacSHA256");
    mac.init(new javax.crypto.spec.SecretKeySpec(serverKey, "HmacSHA256"));
    String authMessage = "n=user,r=rOprNGfwEbeRWgbNEkqO,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
        + "s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    assertThat(
        Base64.getEncoder().encodeToString(mac.doFinal(authMessage.getBytes(java.nio.charset.StandardCharsets.UTF_8))))
        .isEqualTo("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
  }
}
