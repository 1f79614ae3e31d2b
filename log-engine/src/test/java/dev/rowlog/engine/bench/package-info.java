/** Benchmarks against Kafka's own classes on the same files; not tests: the profile {@code bench} runs them. */
package dev.rowlog.engine.bench;
