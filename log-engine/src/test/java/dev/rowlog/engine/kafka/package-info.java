/** Kafka's own classes as an oracle, behind one door. */
package dev.rowlog.engine.kafka;
