/** The only way to the file system: a few verbs that throw, so that a test can stand in for it and crash at each. */
package dev.rowlog.engine.disk;
