/** The commands, noun and verb: what each reads, prints and ends with. docs/operations.md documents outputs and exit codes. */
package dev.rowlog.connector.cli;
