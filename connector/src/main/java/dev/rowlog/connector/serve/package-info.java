/** Servers in front of a running mirror. */
package dev.rowlog.connector.serve;
