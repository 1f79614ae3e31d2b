/** The process killed, and what its logs must hold afterwards. */
package dev.rowlog.connector.kill;
