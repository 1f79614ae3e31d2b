/** The script that prepares a database for Rowlog. */
package dev.rowlog.connector.init;
