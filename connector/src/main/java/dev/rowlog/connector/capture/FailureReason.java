package dev.rowlog.connector.capture;

import java.sql.SQLException;

/** One line for people out of a chain of exceptions: the innermost that says something. */
final class FailureReason {
  private FailureReason() {}

  static String of(Throwable failure) {
    String reason = failure.getClass().getSimpleName();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null && !cause.getMessage().isBlank()) {
        reason = cause.getMessage();
        if (cause instanceof SQLException sql && sql.getSQLState() != null) {
          reason += " (SQLSTATE " + sql.getSQLState() + ")";
        }
      }
    }
    return reason.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
