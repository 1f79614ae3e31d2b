package dev.rowlog.connector.capture;

import dev.rowlog.connector.catalog.TableSchema;
import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.Operation;
import dev.rowlog.connector.change.RowImage;
import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.connector.change.TableId;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Debezium's records as {@link SourceEvent}s. Knows which transaction is open and counts its events, so that a hole in the stream ends the capture.
 * One thread; a new one for each start.
 */
final class ChangeDecoder {
  private static final String BEGIN = "BEGIN";
  /** Headers by which Debezium tells that a delete and the insert after it are one update that changed the key. */
  private static final String NEW_KEY = "__debezium.newkey";
  private static final String OLD_KEY = "__debezium.oldkey";

  private final Map<TableId, TableSchema> tables = new HashMap<>();
  private final TransactionIds transactionIds;
  private final Map<TableId, Long> eventCounts = new HashMap<>();
  /** The last row schema of each table, so that rows of one kind are compared once and share one list of names. */
  private final Map<TableId, Known> known = new HashMap<>();

  private Moved moved;
  private boolean open;
  private long transactionId;
  private long eventsInTransaction;

  ChangeDecoder(Collection<TableSchema> tables, TransactionIds transactionIds) {
    tables.forEach(table -> this.tables.put(table.id(), table));
    this.transactionIds = transactionIds;
  }

  /**
   * @param difference to the table as we know it; null for none
   */
  private record Known(Schema schema, List<String> columns, String difference) {}

  /** The old row of a key change, which comes as a delete and an insert that belong together. */
  private record Moved(TableId table, RowImage before) {}

  /**
   * @return empty for a change of a table that is not mirrored, and for the first half of a key change
   * @throws DecodingException where the record is not what it has to be
   */
  Optional<SourceEvent> decode(SourceRecord record) {
    if (!(record.value() instanceof Struct value)) {
      throw new DecodingException(
          "a record without a value on " + record.topic() + " at offset " + record.sourceOffset());
    }
    return switch (record.topic()) {
      case DebeziumProperties.TRANSACTION_TOPIC -> Optional.of(transaction(record, value));
      case DebeziumProperties.MESSAGE_TOPIC -> Optional.of(message(value));
      default -> change(record, value);
    };
  }

  private SourceEvent transaction(SourceRecord record, Struct value) {
    String id = value.getString("id");
    long xid = transactionIds.full(Long.parseLong(id.substring(0, id.indexOf(':'))));
    if (value.getString("status").equals(BEGIN)) {
      if (open) {
        throw new DecodingException("transaction " + xid + " begins while " + transactionId + " is open");
      }
      open = true;
      transactionId = xid;
      eventsInTransaction = 0;
      eventCounts.clear();
      moved = null;
      return new SourceEvent.Begin(xid);
    }
    if (!open || xid != transactionId) {
      throw new DecodingException(
          "transaction " + xid + " ends, but " + (open ? transactionId + " is open" : "none is open"));
    }
    long counted = value.getInt64("event_count");
    if (counted != eventsInTransaction) {
      throw new DecodingException(
          "transaction " + xid + " had " + counted + " changes, but " + eventsInTransaction + " arrived");
    }
    open = false;
    return new SourceEvent.End(xid, endLsn(record), offset(record, "ts_usec"), Map.copyOf(eventCounts));
  }

  /** The END's own offset holds the end of the commit record. */
  private static Lsn endLsn(SourceRecord record) {
    return new Lsn(offset(record, "lsn_commit"));
  }

  private static long offset(SourceRecord record, String field) {
    if (record.sourceOffset().get(field) instanceof Long number) {
      return number;
    }
    throw new DecodingException("an offset without " + field + " on " + record.topic() + ": " + record.sourceOffset());
  }

  private SourceEvent message(Struct value) {
    Struct message = value.getStruct("message");
    Struct source = value.getStruct("source");
    boolean transactional = value.schema().field("transaction") != null && value.getStruct("transaction") != null;
    if (transactional) {
      eventsInTransaction++;
    }
    Object content = message.getWithoutDefault("content");
    byte[] bytes = content instanceof ByteBuffer buffer ? bytes(buffer) : (byte[]) content;
    return new SourceEvent.Message(message.getString("prefix"), bytes, new Lsn(source.getInt64("lsn")), transactional);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private Optional<SourceEvent> change(SourceRecord record, Struct value) {
    Struct source = value.getStruct("source");
    TableId id = new TableId(source.getString("schema"), source.getString("table"));
    Lsn lsn = new Lsn(source.getInt64("lsn"));
    if (!open) {
      throw new DecodingException("a change of " + id + " at " + lsn + " outside any transaction");
    }
    long xid = transactionIds.full(source.getInt64("txId"));
    if (xid != transactionId) {
      throw new DecodingException(
          "a change of " + id + " at " + lsn + " belongs to transaction " + xid + ", but " + transactionId
              + " is open");
    }
    eventsInTransaction++;
    TableSchema table = tables.get(id);
    if (table == null) {
      return Optional.empty();
    }
    long order = value.getStruct("transaction").getInt64("total_order");
    long commitMicros = source.getInt64("ts_us");
    String code = value.getString("op");
    if (code.equals(Operation.TRUNCATE.code())) {
      return counted(new SourceEvent.Truncate(id, lsn, xid, order, commitMicros), id);
    }
    Optional<String> difference = difference(record, table, value);
    if (difference.isPresent()) {
      moved = null;
      return counted(new SourceEvent.Altered(id, difference.get(), lsn, xid), id);
    }
    RowImage before = before(table, value.getStruct("before"));
    RowImage after = image(table, value.getStruct("after"));
    Operation operation = operation(code, id, lsn);
    if ((operation == Operation.DELETE) != (after == null) || operation == Operation.DELETE && before == null) {
      throw new DecodingException("a change " + code + " of " + id + " at " + lsn + " without its row");
    }
    if (operation == Operation.DELETE && hasHeader(record, NEW_KEY)) {
      moved = new Moved(id, before);
      return Optional.empty();
    }
    if (operation == Operation.INSERT && hasHeader(record, OLD_KEY)) {
      before = oldRow(id, lsn);
      operation = Operation.UPDATE;
    }
    return counted(new SourceEvent.Row(id, operation, before, after, lsn, xid, order, commitMicros), id);
  }

  private Optional<SourceEvent> counted(SourceEvent event, TableId table) {
    eventCounts.merge(table, 1L, Long::sum);
    return Optional.of(event);
  }

  private static boolean hasHeader(SourceRecord record, String name) {
    return record.headers().lastWithName(name) != null;
  }

  private RowImage oldRow(TableId table, Lsn lsn) {
    Moved half = moved;
    moved = null;
    if (half == null || !half.table.equals(table)) {
      throw new DecodingException("a changed key of " + table + " at " + lsn + " without its old row before it");
    }
    return half.before;
  }

  private static Operation operation(String code, TableId table, Lsn lsn) {
    return switch (code) {
      case "c" -> Operation.INSERT;
      case "u" -> Operation.UPDATE;
      case "d" -> Operation.DELETE;
      default -> throw new DecodingException("an unknown operation '" + code + "' on " + table + " at " + lsn);
    };
  }

  /** What tells that the row belongs to another definition of the table than the one that we know; empty where nothing does. */
  private Optional<String> difference(SourceRecord record, TableSchema table, Struct value) {
    Struct row = value.getStruct("after") != null ? value.getStruct("after") : value.getStruct("before");
    if (row != null) {
      Known known = known(table, row.schema());
      if (known.difference != null) {
        return Optional.of(known.difference);
      }
    }
    return RowSchema.keyDifference(table, record.key());
  }

  /** Under an identity that is not FULL the other columns are null in the struct without being NULL in the row. */
  private RowImage before(TableSchema table, Struct struct) {
    if (struct == null || table.replicaIdentity() == 'f') {
      return image(table, struct);
    }
    List<String> key = table.keyColumns();
    String[] values = new String[key.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (String) struct.getWithoutDefault(key.get(i));
    }
    return new RowImage(key, values);
  }

  private RowImage image(TableSchema table, Struct struct) {
    if (struct == null) {
      return null;
    }
    List<String> columns = known(table, struct.schema()).columns;
    String[] values = new String[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (String) struct.getWithoutDefault(columns.get(i));
    }
    return new RowImage(columns, values);
  }

  @SuppressWarnings("ReferenceEquality")
  private Known known(TableSchema table, Schema schema) {
    Known last = known.get(table.id());
    if (last == null || last.schema != schema) {
      List<String> columns = schema.fields().stream().map(Field::name).toList();
      last = new Known(schema, columns, RowSchema.difference(table, schema).orElse(null));
      known.put(table.id(), last);
    }
    return last;
  }
}
