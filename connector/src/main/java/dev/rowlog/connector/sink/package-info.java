/** Where records go: decode, map, append, commit, acknowledge; the order is the guarantee (D6). */
package dev.rowlog.connector.sink;
