/** A key's effective value and its origin: the sources put together. */
package dev.rowlog.connector.config.setting;
