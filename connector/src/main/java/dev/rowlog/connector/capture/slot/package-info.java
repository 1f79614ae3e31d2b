/** The replication slot: whose it is, whether it can go on, how it is made and dropped. */
package dev.rowlog.connector.capture.slot;
