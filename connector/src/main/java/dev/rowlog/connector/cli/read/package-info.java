/** Logs from the inside: {@code topic read}, its formats and its digest. */
package dev.rowlog.connector.cli.read;
