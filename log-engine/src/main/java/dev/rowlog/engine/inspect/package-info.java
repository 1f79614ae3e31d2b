/** Looking at logs: every invariant checked, segments described, records counted as live, dead and tombstones. */
package dev.rowlog.engine.inspect;
