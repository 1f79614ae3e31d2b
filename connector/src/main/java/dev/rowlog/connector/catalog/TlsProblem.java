package dev.rowlog.connector.catalog;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.sql.SQLException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Why a connection over TLS was not to be had, and what to do. Pure.
 *
 * @param cure what to do
 */
public record TlsProblem(String sentence, String cure) {

  /** Empty where TLS is not the reason. */
  public static Optional<TlsProblem> of(SQLException e, SourceAddress address) {
    String said = e.getMessage() == null ? "" : e.getMessage().strip().replaceAll("\\s*\\R\\s*", " ");
    String mode = address.driverProperties().getOrDefault("sslmode", "prefer");
    String root = address.driverProperties().getOrDefault("sslrootcert", "~/.postgresql/root.crt");
    if (DriverMessage.is(said, "The hostname {0} could not be verified by hostnameverifier {1}.")) {
      return problem("the server's certificate is not for " + address.host(),
          "use a name that the certificate holds in source.url, or have it issued for this one");
    }
    if (caused(e, CertPathBuilderException.class) || caused(e, CertPathValidatorException.class)) {
      return problem("the server's certificate is not signed by an authority of " + root,
          "let sslrootcert in source.url name the file of the authority that signed it");
    }
    if (DriverMessage.is(said, "Could not open SSL root certificate file {0}.")
        || DriverMessage.is(said, "Loading the SSL root certificate {0} into a TrustManager failed.")) {
      return problem(said, "let sslrootcert in source.url name a readable PEM file with the authority's certificate");
    }
    if (DriverMessage.is(said, "The server does not support SSL.")) {
      return problem("the server speaks no TLS, and sslmode=" + mode + " asks for it",
          "turn ssl on in postgresql.conf, or take another sslmode in source.url");
    }
    if (said.contains("pg_hba.conf") && said.contains("no encryption") || said.contains("SSL off")) {
      return problem("the server lets role " + address.user() + " not in without TLS (" + said + ")",
          "take sslmode=verify-full in source.url, or add a line to pg_hba.conf");
    }
    return caused(e, SSLException.class)
        ? problem("no TLS connection to the server comes about (" + said + ")",
            "check sslmode, sslrootcert, sslcert and sslkey in source.url")
        : Optional.empty();
  }

  private static Optional<TlsProblem> problem(String sentence, String cure) {
    return Optional.of(new TlsProblem(sentence, cure));
  }

  private static boolean caused(Throwable e, Class<? extends Throwable> kind) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (kind.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }
}
