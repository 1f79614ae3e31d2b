package dev.rowlog.connector.sink;

import dev.rowlog.connector.change.Operation;
import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.engine.record.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Headers of the tombstones that a TRUNCATE becomes (D3). */
final class TruncateHeaders {
  private TruncateHeaders() {}

  static List<Header> of(SourceEvent.Truncate truncate, int schemaVersion) {
    return List.of(
        header("__op", Operation.TRUNCATE.code()),
        header("__lsn", truncate.lsn().toString()),
        header("__txid", Long.toString(truncate.transactionId())),
        header("__order", Long.toString(truncate.order())),
        header("__schema", Integer.toString(schemaVersion)));
  }

  private static Header header(String name, String value) {
    return new Header(name, value.getBytes(StandardCharsets.US_ASCII));
  }
}
