/** What the tests of every package of the engine share. */
package dev.rowlog.engine;
