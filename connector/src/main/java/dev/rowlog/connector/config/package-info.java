/**
 * Configuration: small checked records, one loader; flag, then environment, then file, then default. docs/commands.md
 * lists the keys.
 */
package dev.rowlog.connector.config;
