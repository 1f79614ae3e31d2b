/**
 * The commands, noun and verb: what each reads, prints and ends with. docs/commands.md documents outputs and exit
 * codes.
 */
package dev.rowlog.connector.cli;
