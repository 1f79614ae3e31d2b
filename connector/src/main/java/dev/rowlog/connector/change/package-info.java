/** What happens to rows, in PostgreSQL's words: no Debezium types here. */
package dev.rowlog.connector.change;
