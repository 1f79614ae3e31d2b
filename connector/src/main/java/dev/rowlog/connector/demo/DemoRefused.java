package dev.rowlog.connector.demo;

/** The demo cannot go as it was asked for: a mistake of usage. */
public final class DemoRefused extends RuntimeException {
  DemoRefused(String message) {
    super(message);
  }
}
