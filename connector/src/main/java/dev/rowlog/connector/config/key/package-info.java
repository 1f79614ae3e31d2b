/** The keys: names, tiers, defaults, environment variables. */
package dev.rowlog.connector.config.key;
