package dev.rowlog.connector.capture.preflight;

import dev.rowlog.connector.capture.preflight.Finding.Kind;
import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.TlsProblem;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Optional;

/** Why a connection was not to be had, in one line (PostgreSQL manual, appendix A: SQLSTATE). */
final class ConnectionProblem {
  private ConnectionProblem() {}

  static Finding of(SQLException e, SourceAddress address) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    String said = said(e);
    if (isUnknownHost(e)) {
      return Finding.of(Kind.UNREACHABLE, "no host is known by the name " + address.host() + " (DNS)",
          "check the host in source.url");
    }
    Optional<TlsProblem> tls = TlsProblem.of(e, address);
    if (tls.isPresent()) {
      return Finding.of(Kind.UNREACHABLE, tls.get().sentence(), tls.get().cure());
    }
    return switch (state) {
      case "28P01" ->
        Finding.of(Kind.WRONG_PASSWORD, "the server refuses the password of role " + address.user() + " (" + said + ")",
            "correct source.url or source.password");
      case "28000" ->
        Finding.of(Kind.WRONG_PASSWORD, "the server lets role " + address.user() + " not in (" + said + ")",
            "correct source.url, or add a line for it to the server's pg_hba.conf");
      case "3D000" ->
        Finding.of(Kind.NO_DATABASE, "database " + address.database() + " does not exist", "correct source.url");
      case "53300" -> Finding.of(Kind.UNREACHABLE, "the server has no connection left (" + said + ")",
          "end some, or raise max_connections");
      case "08004" -> Finding.of(Kind.WRONG_PASSWORD, "the server asks for a password (" + said + ")",
          "set it in source.url or source.password");
      default -> Finding.of(Kind.UNREACHABLE, "cannot use " + address + " (" + said + ")",
          "check host and port in source.url, and that the server runs and listens there");
    };
  }

  private static boolean isUnknownHost(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }

  private static String said(SQLException e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return message.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
