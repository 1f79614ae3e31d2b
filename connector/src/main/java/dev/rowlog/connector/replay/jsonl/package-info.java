/** Tables as files of JSON lines. */
package dev.rowlog.connector.replay.jsonl;
