/** Rows as documents of OpenSearch or Elasticsearch. */
package dev.rowlog.connector.replay.opensearch;
