/** {@code config show} and {@code config check}. */
package dev.rowlog.connector.cli.config;
