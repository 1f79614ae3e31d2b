/** The HTTP side of a running mirror: liveness, readiness, status and the requests that need the process itself. */
package dev.rowlog.connector.serve.http;
