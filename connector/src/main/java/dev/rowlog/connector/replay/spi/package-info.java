/** What a target is given and answers: rows of whole commits, and the position that it keeps beside them. */
package dev.rowlog.connector.replay.spi;
