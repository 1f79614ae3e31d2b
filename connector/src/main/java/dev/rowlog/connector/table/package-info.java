/** Reads whole tables as of one exported snapshot, at COPY speed, and makes the first snapshot from them (D7). */
package dev.rowlog.connector.table;
