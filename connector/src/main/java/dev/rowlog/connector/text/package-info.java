/** Numbers and tables as people read them. Pure. */
package dev.rowlog.connector.text;
