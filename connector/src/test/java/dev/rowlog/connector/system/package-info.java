/** What needs programs of the operating system: the profile {@code system}. */
package dev.rowlog.connector.system;
