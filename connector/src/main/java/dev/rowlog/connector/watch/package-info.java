/** Looks for what the stream does not tell, and sends the messages that show that it still flows. */
package dev.rowlog.connector.watch;
