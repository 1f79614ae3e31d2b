/** From the files of a folder to an open log: what an unclean stop has left is checked, finished or cut. */
package dev.rowlog.engine.log.opening;
