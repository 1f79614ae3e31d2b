/** How long to wait before another attempt. Pure. */
package dev.rowlog.connector.retry;
