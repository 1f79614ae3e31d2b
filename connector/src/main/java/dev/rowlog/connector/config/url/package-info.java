/** {@code source.url}: libpq's URLs, variables and parameters. */
package dev.rowlog.connector.config.url;
