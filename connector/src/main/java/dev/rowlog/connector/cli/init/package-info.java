/** {@code init}: the script for a database administrator. */
package dev.rowlog.connector.cli.init;
