/** {@code run}: the mirror in the foreground. */
package dev.rowlog.connector.cli.run;
