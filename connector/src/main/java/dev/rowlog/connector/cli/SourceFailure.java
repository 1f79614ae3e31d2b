package dev.rowlog.connector.cli;

import dev.rowlog.connector.catalog.SourceAddress;
import java.sql.SQLException;

/** Why a database could not be reached, in one sentence with the cure. Pure. */
final class SourceFailure {
  private SourceFailure() {}

  /** By SQLSTATE (PostgreSQL documentation, appendix A). */
  static String message(SourceAddress address, SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    String reason = String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ").replaceFirst("^(FATAL|ERROR): ", "");
    return switch (state) {
      case "28P01" -> "wrong password for " + address + ": " + reason;
      case "28000" -> "the server refuses " + address + ": " + reason + " (see its pg_hba.conf and the role's attributes)";
      case "3D000" -> "no such database: " + address + ": " + reason;
      case "08001", "08004", "08006", "57P03" -> "cannot reach " + address + ": " + reason;
      default -> address + " answered: " + reason;
    };
  }
}
