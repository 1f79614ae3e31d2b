/** Tests of segment files and their indexes. */
package dev.rowlog.engine.segment;
