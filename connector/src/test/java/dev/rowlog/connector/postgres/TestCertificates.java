package dev.rowlog.connector.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** An authority of a test's own, and certificates that it signs, made with the JDK's keytool. */
public final class TestCertificates {
  private static final String PASSWORD = "changeit";

  private final Path folder;

  private TestCertificates(Path folder) {
    this.folder = folder;
  }

  /** A new authority, its files in this folder. */
  public static TestCertificates create(Path folder) throws IOException, InterruptedException {
    TestCertificates made = new TestCertificates(Files.createDirectories(folder));
    made.keytool("-genkeypair", "-alias", "ca", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=Rowlog test CA",
        "-ext", "bc:c",
        "-validity", "30", "-keystore", made.store("ca"));
    made.keytool("-exportcert", "-rfc", "-alias", "ca", "-keystore", made.store("ca"), "-file",
        made.authority().toString());
    made.keytool("-importcert", "-noprompt", "-alias", "ca", "-file", made.authority().toString(), "-keystore",
        made.trustStore().toString());
    return made;
  }

  /** PEM. */
  public Path authority() {
    return folder.resolve("ca.crt");
  }

  /** PKCS #12 with the authority alone. */
  public Path trustStore() {
    return folder.resolve("trust.p12");
  }

  public String trustStorePassword() {
    return PASSWORD;
  }

  /**
   * Writes {@code <target>/<name>.crt} and {@code .key} as PEM, the key readable by its owner only.
   *
   * @param host the DNS name that the certificate is for
   */
  public void issue(String name, String host, Path target)
      throws IOException, InterruptedException, GeneralSecurityException {
    String request = folder.resolve(name + ".csr").toString();
    Path certificate = target.resolve(name + ".crt");
    keytool("-genkeypair", "-alias", name, "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=" + host, "-validity",
        "30",
        "-keystore", store(name));
    keytool("-certreq", "-alias", name, "-keystore", store(name), "-file", request);
    keytool("-gencert", "-rfc", "-alias", "ca", "-keystore", store("ca"), "-infile", request, "-outfile",
        certificate.toString(),
        "-ext", "san=dns:" + host, "-validity", "30");
    KeyStore keys = KeyStore.getInstance(Path.of(store(name)).toFile(), PASSWORD.toCharArray());
    byte[] key = keys.getKey(name, PASSWORD.toCharArray()).getEncoded();
    Path file = target.resolve(name + ".key");
    Files.deleteIfExists(file);
    Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(key)
        + "\n-----END PRIVATE KEY-----\n");
  }

  private String store(String name) {
    return folder.resolve(name + ".p12").toString();
  }

  private void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(
        List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(String.join(" ", command) + "\n" + output);
    }
  }
}
