package dev.rowlog.connector.options;

import dev.rowlog.engine.disk.Disk;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What the outside world gives: injected once, so that nothing below reads a clock or throws dice of its own (D9).
 *
 * @param nanoClock elapsed time
 */
public record Environment(Disk disk, InstantSource clock, LongSupplier nanoClock, RandomGenerator random) {
  public Environment {
    Objects.requireNonNull(disk, "disk");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(nanoClock, "nanoClock");
    Objects.requireNonNull(random, "random");
  }
}
