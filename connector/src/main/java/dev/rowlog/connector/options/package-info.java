/** What a mirror is started with: source, data directory, topics, HTTP, and the outside world. */
package dev.rowlog.connector.options;
