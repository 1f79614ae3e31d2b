/**
 * What a running mirror says of itself and can be asked for: the state that commands, HTTP and listeners share. No
 * wiring here.
 */
package dev.rowlog.connector.mirror;
