/** The real PostgreSQL that tests run against. */
package dev.rowlog.connector.postgres;
