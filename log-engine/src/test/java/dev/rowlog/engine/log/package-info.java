/** Tests of logs and their folder, on real files and on a disk that crashes. */
package dev.rowlog.engine.log;
