package dev.rowlog.connector.table;

import dev.rowlog.connector.change.Lsn;
import dev.rowlog.connector.change.Operation;
import dev.rowlog.connector.mapping.TableRecordMapper;
import dev.rowlog.engine.record.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Headers of the records of a first snapshot: no transaction wrote them as one, so transaction and place are 0. */
final class SnapshotHeaders {
  private SnapshotHeaders() {}

  static List<Header> of(Lsn consistentPoint) {
    return List.of(
        header(TableRecordMapper.OPERATION, Operation.SNAPSHOT.code()),
        header(TableRecordMapper.LSN, consistentPoint.toString()),
        header(TableRecordMapper.TRANSACTION_ID, "0"),
        header(TableRecordMapper.ORDER, "0"),
        header(TableRecordMapper.SCHEMA, "1"));
  }

  private static Header header(String name, String value) {
    return new Header(name, value.getBytes(StandardCharsets.US_ASCII));
  }
}
