/** Every invariant of a log's files, checked. */
package dev.rowlog.engine.inspect.verify;
