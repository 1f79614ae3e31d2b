package dev.rowlog.connector.mapping;

import dev.rowlog.connector.change.Operation;
import dev.rowlog.connector.change.RowImage;
import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.engine.record.Header;
import dev.rowlog.engine.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The mapper of one table, for one version of its schema (D2, D3, D4). One thread. */
public final class TableRecordMapper implements RecordMapper {
  public static final String OPERATION = "__op";
  public static final String LSN = "__lsn";
  public static final String TRANSACTION_ID = "__txid";
  public static final String ORDER = "__order";
  public static final String SCHEMA = "__schema";

  private static final long NOT_APPENDED = -1;

  private final RowJson json;
  private final Header schemaVersion;

  public TableRecordMapper(RowJson json) {
    this.json = json;
    this.schemaVersion = header(SCHEMA, Integer.toString(json.schema().version()));
  }

  @Override
  public List<Record> map(SourceEvent.Row row, LastValues last) {
    long timestamp = TimeUnit.MICROSECONDS.toMillis(row.commitTimestampMicros());
    List<Header> headers = headers(row);
    if (row.operation() == Operation.DELETE) {
      return List.of(new Record(NOT_APPENDED, timestamp, json.key(row.before()), null, headers));
    }
    RowImage after = completed(row.after(), row.before());
    byte[] key = json.key(after);
    byte[] oldKey = row.before() == null ? key : json.key(row.before());
    Record written = new Record(NOT_APPENDED, timestamp, key, value(after, key, () -> last.of(oldKey)), headers);
    return Arrays.equals(oldKey, key)
        ? List.of(written)
        : List.of(new Record(NOT_APPENDED, timestamp, oldKey, null, headers), written);
  }

  private byte[] value(RowImage after, byte[] key, Supplier<byte[]> last) {
    try {
      return json.value(after, last);
    } catch (MappingException e) {
      throw new MappingException(json.schema().id(),
          e.problem() + " (key " + new String(key, StandardCharsets.UTF_8) + ")");
    }
  }

  /**
   * The new row with each value that the stream left out (TOAST, unchanged) taken from the old row, where that has it: all of them under REPLICA
   * IDENTITY FULL, those of the key else. An unchanged value equals the old one, and is not NULL.
   */
  private static RowImage completed(RowImage after, RowImage before) {
    String[] values = null;
    for (int i = 0; before != null && i < after.size(); i++) {
      if (RowJson.isUnchangedToast(after.value(i))) {
        int old = before.columns().indexOf(after.columns().get(i));
        if (old >= 0 && before.value(old) != null) {
          values = values == null ? copy(after) : values;
          values[i] = before.value(old);
        }
      }
    }
    return values == null ? after : new RowImage(after.columns(), values);
  }

  private static String[] copy(RowImage row) {
    String[] values = new String[row.size()];
    Arrays.setAll(values, row::value);
    return values;
  }

  private List<Header> headers(SourceEvent.Row row) {
    return List.of(header(OPERATION, row.operation().code()), header(LSN, row.lsn().toString()),
        header(TRANSACTION_ID, Long.toUnsignedString(row.transactionId())), header(ORDER, Long.toString(row.order())),
        schemaVersion);
  }

  private static Header header(String name, String value) {
    return new Header(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
