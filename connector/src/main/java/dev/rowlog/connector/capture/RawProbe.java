package dev.rowlog.connector.capture;

import io.debezium.connector.postgresql.TypeRegistry;
import io.debezium.connector.postgresql.connection.AbstractColumnValue;
import io.debezium.connector.postgresql.connection.ReplicationMessageColumnValueResolver;
import io.debezium.data.SpecialValueDecimal;
import java.time.OffsetTime;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * The start-up test that the raw path is in force: a value goes through Debezium's own resolver and has to come out as it went in. What this cannot
 * see, {@link RawTextConverter} does, since it takes nothing but text.
 */
final class RawProbe {
  /** A decoder that knew the type would move this time to UTC, and it would not come back. */
  private static final String TYPE = "timetz";

  private static final String TEXT = "24:00:00-15:59";

  private RawProbe() {}

  /**
   * @throws ConnectException where the value comes out changed, or not at all
   */
  static void requireRawPath(TypeRegistry types) {
    Object resolved = ReplicationMessageColumnValueResolver.resolveValue("probe", types.get("pg_catalog", TYPE), TYPE,
        new Value(), null, true, types);
    if (!TEXT.equals(resolved)) {
      throw new ConnectException(
          "the change stream does not carry PostgreSQL's own text: " + TYPE + " " + TEXT + " became " + resolved
              + "; this build does not fit the Debezium version on its class path");
    }
  }

  /** The probe as the decoder would hand it over; it knows its text and nothing else. */
  private static final class Value extends AbstractColumnValue<String> {
    @Override
    public String getRawValue() {
      return TEXT;
    }

    @Override
    public boolean isNull() {
      return false;
    }

    @Override
    public String asString() {
      return TEXT;
    }

    @Override
    public OffsetTime asOffsetTimeUtc() {
      throw converted();
    }

    @Override
    public Boolean asBoolean() {
      throw converted();
    }

    @Override
    public Integer asInteger() {
      throw converted();
    }

    @Override
    public Long asLong() {
      throw converted();
    }

    @Override
    public Float asFloat() {
      throw converted();
    }

    @Override
    public Double asDouble() {
      throw converted();
    }

    @Override
    public SpecialValueDecimal asDecimal() {
      throw converted();
    }

    @Override
    public byte[] asByteArray() {
      throw converted();
    }

    private static ConnectException converted() {
      return new ConnectException("the change stream converts values instead of handing over PostgreSQL's own text;"
          + " this build does not fit the Debezium version on its class path");
    }
  }
}
