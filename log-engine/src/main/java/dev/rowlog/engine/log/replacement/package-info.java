/** Putting cleaned segments in the place of their sources, safe against a crash at any point. */
package dev.rowlog.engine.log.replacement;
