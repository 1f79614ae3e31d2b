/** The log engine: open a data directory, append, commit, read, clean. Packages stand in the order of the data; each imports only those above it. */
package dev.rowlog.engine;
