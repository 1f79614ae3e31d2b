/** The newest record of each key, off heap and exact. */
package dev.rowlog.engine.cleaner.map;
