/**
 * From PostgreSQL's change stream to {@link dev.rowlog.connector.change.SourceEvent}s, through an embedded Debezium engine. Debezium and Connect
 * types end here.
 */
package dev.rowlog.connector.capture;
