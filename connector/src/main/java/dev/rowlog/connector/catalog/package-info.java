/** What PostgreSQL's catalog says of the mirrored tables: columns, types, keys, replica identity. */
package dev.rowlog.connector.catalog;
