package dev.rowlog.connector.mirror;

import dev.rowlog.connector.change.TableId;
import dev.rowlog.engine.record.Record;

/** A record of a committed transaction, with its offset, and where it lies. */
public record CommittedRecord(TableId table, String topic, Record record) {}
