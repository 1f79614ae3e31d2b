/** What a cursor walks: the held segments of a log as they stood at one commit. */
package dev.rowlog.engine.replay.view;
