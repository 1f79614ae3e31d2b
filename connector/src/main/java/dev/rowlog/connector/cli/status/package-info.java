/** {@code status}: what the running mirror says of itself. */
package dev.rowlog.connector.cli.status;
