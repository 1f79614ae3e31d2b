/** Rows as rows of another PostgreSQL database. */
package dev.rowlog.connector.replay.postgres;
