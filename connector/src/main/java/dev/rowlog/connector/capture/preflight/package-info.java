/** What has to be right before anything is captured: server, role, tables, publication; each finding with its cure. */
package dev.rowlog.connector.capture.preflight;
