/** Reading logs: records in offset order up to the last commit, also while the cleaner works and from beside a running process. */
package dev.rowlog.engine.replay;
