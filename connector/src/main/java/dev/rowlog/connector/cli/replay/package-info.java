/** {@code rowlog replay}: fills a target, once or from then on. */
package dev.rowlog.connector.cli.replay;
