/** What a running mirror says of itself in numbers: Prometheus' text format, base units. */
package dev.rowlog.connector.metrics;
