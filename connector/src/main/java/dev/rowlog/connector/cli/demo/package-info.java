/** {@code demo} and {@code demo sql}. */
package dev.rowlog.connector.cli.demo;
