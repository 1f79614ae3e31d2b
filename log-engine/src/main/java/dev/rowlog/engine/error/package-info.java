/** The one family of errors that the engine throws, each with the place it is about as fields. */
package dev.rowlog.engine.error;
