package dev.rowlog.connector.cli.read;

import dev.rowlog.engine.record.Record;
import java.io.IOException;
import java.io.OutputStream;

/** Writes one record as one piece of output. One thread. */
interface RecordPrinter {
  void print(String topic, Record entry, OutputStream out) throws IOException;

  /**
   * @param format {@code json}, or a format string
   * @throws IllegalArgumentException where the format string has an unknown token
   */
  static RecordPrinter of(String format) {
    return format.equals("json") ? new JsonRecordPrinter() : FormatRecordPrinter.parse(format);
  }
}
