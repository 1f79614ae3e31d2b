/** From row changes to records: key bytes, value bytes, topic names (D2, D3, D4). Pure functions. */
package dev.rowlog.connector.mapping;
