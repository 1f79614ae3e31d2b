/** What every command shares: the world outside, options, exit codes, the log, the process's API. */
package dev.rowlog.connector.cli.command;
