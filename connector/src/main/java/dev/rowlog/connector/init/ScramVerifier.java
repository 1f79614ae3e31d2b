package dev.rowlog.connector.init;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A password as PostgreSQL stores it, {@code SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey} (RFC 5802, PostgreSQL
 * 53.9 pg_authid): a script can set the
 * password without showing it. Pure.
 */
public final class ScramVerifier {
  /** Of a salt that PostgreSQL itself would choose. */
  public static final int SALT_BYTES = 16;
  private static final int ITERATIONS = 4096;
  private static final int KEY_BITS = 256;

  private ScramVerifier() {}

  public static String of(String password, byte[] salt) {
    try {
      // SASLprep (RFC 4013) is NFKC but for characters that nobody has in a password; ASCII stays as it is.
      char[] prepared = Normalizer.normalize(password, Normalizer.Form.NFKC).toCharArray();
      byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
          .generateSecret(new PBEKeySpec(prepared, salt, ITERATIONS, KEY_BITS)).getEncoded();
      byte[] stored = MessageDigest.getInstance("SHA-256").digest(hmac(salted, "Client Key"));
      Base64.Encoder base64 = Base64.getEncoder();
      return "SCRAM-SHA-256$" + ITERATIONS + ":" + base64.encodeToString(salt) + "$" + base64.encodeToString(stored)
          + ":"
          + base64.encodeToString(hmac(salted, "Server Key"));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has SHA-256 and PBKDF2", e);
    }
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }
}
