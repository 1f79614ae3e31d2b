package dev.rowlog.connector.session;

import dev.rowlog.connector.catalog.SourceAddress;
import dev.rowlog.connector.catalog.TlsProblem;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Optional;

/** One sentence of a failure of the source, with what to do where that is known. Pure. */
final class SourceErrors {
  private SourceErrors() {}

  static String sentence(SourceAddress address, SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    String said = e.getMessage() == null
        ? e.getClass().getSimpleName()
        : e.getMessage().strip().replaceAll("\\s*\\R\\s*", " ");
    String where = address + ": ";
    if (isUnknownHost(e)) {
      return where + "no host is known by that name (DNS); check the host in source.url";
    }
    Optional<TlsProblem> tls = TlsProblem.of(e, address);
    if (tls.isPresent()) {
      return where + tls.get().sentence() + "; " + tls.get().cure();
    }
    if (state.startsWith("08") || state.equals("57P03")) {
      return where + "the database cannot be reached (" + said
          + "); check source.url, and that PostgreSQL runs and listens there";
    }
    return switch (state) {
      case "28P01", "28000" -> where + said + "; check user and password of source.url, and pg_hba.conf";
      case "3D000" -> where + said + "; check the database's name in source.url";
      case "42501" -> where + said + "; rowlog init prints the SQL that grants what is needed";
      default -> where + said + (state.isEmpty() ? "" : " (SQLSTATE " + state + ")");
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
}
