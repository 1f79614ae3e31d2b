/** Logs from the outside: {@code topic list}, {@code topic describe}, {@code segment list}. */
package dev.rowlog.connector.cli.topic;
