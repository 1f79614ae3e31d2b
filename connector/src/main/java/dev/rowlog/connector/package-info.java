/** The connector: from PostgreSQL's changes to committed records, and from records to readers. Packages stand in the order of the data. */
package dev.rowlog.connector;
