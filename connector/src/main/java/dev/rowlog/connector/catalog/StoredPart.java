package dev.rowlog.connector.catalog;

import dev.rowlog.connector.change.TableId;

/**
 * A relation that holds rows of a table (the table itself, or a partition) and the marks by which a later look tells that its rows were changed
 * without an event in the stream.
 *
 * @param oid pg_class.oid
 * @param file pg_class.relfilenode: another one after TRUNCATE, a rewriting ALTER TABLE, VACUUM FULL
 * @param attached transaction ids of the rows in pg_inherits that make it a partition, root last; empty where it is none
 * @param columns attnum and transaction id of each of its rows in pg_attribute: another id after ALTER COLUMN
 */
public record StoredPart(TableId id, long oid, long file, String attached, String columns) {}
