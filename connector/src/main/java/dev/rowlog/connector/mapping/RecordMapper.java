package dev.rowlog.connector.mapping;

import dev.rowlog.connector.change.SourceEvent;
import dev.rowlog.engine.record.Record;
import java.util.List;

/**
 * One row event as the records that it becomes: insert and update one record, a key change a tombstone of the old key and then the new row,
 * a delete a tombstone (D4). Pure; offsets of the records are -1 until they are appended.
 */
public interface RecordMapper {

  /**
   * @param last of the row's table, asked where the stream leaves out a value that the update left alone (D5)
   * @throws MappingException where the row cannot be mapped exactly
   */
  List<Record> map(SourceEvent.Row row, LastValues last);
}
