package dev.rowlog.connector.sink;

import dev.rowlog.connector.change.Operation;
import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.connector.mapping.TableRecordMapper;
import dev.rowlog.engine.record.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Headers of the tombstones that a TRUNCATE becomes (D3). */
final class TruncateHeaders {
  private TruncateHeaders() {}

  static List<Header> of(SourceEvent.Truncate truncate, int schemaVersion) {
    return List.of(
        header(TableRecordMapper.OPERATION, Operation.TRUNCATE.code()),
        header(TableRecordMapper.LSN, truncate.lsn().toString()),
        header(TableRecordMapper.TRANSACTION_ID, Long.toUnsignedString(truncate.transactionId())),
        header(TableRecordMapper.ORDER, Long.toString(truncate.order())),
        header(TableRecordMapper.SCHEMA, Integer.toString(schemaVersion)));
  }

  private static Header header(String name, String value) {
    return new Header(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
