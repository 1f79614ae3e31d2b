/**
 * {@code rowlog demo}: an embedded PostgreSQL with a small shop, mirrored, cleaned, replayed and compared, with
 * nothing left behind.
 */
package dev.rowlog.connector.demo;
