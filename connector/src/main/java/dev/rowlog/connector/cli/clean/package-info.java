/** {@code clean run}, through the process that holds the directory or in this one. */
package dev.rowlog.connector.cli.clean;
