package dev.rowlog.connector.demo;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How the demo is to go.
 *
 * @param exit end after the comparison
 * @param data where the logs stay; empty for a temporary folder
 * @param clean let the cleaner work
 * @param command what people type to start us
 */
public record DemoRequest(boolean exit, Optional<Path> data, boolean clean, String command) {}
