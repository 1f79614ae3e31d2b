/** The compressed forms of a batch's records, and the buffers that they grow in. */
package dev.rowlog.engine.record.codec;
