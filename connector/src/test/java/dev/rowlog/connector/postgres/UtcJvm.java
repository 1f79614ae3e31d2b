package dev.rowlog.connector.postgres;

import java.util.TimeZone;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The time zone that the launcher gives Rowlog's JVM, for tests that run a capture; the other tests keep their hostile one. */
public final class UtcJvm implements BeforeAllCallback, AfterAllCallback {
  private TimeZone before;

  @Override
  public void beforeAll(ExtensionContext context) {
    before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
  }

  @Override
  public void afterAll(ExtensionContext context) {
    TimeZone.setDefault(before);
  }
}
