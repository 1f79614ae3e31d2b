/** What lies in a segment, batch by batch. */
package dev.rowlog.engine.inspect.dump;
