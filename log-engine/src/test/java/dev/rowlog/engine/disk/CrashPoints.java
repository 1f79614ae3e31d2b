package dev.rowlog.engine.disk;

import java.util.function.Supplier;

/** Crashes a scenario at every change that it makes to a disk, and reboots each time in every way. */
public final class CrashPoints {
  /** Reboots with a policy that draws, at each crash. */
  private static final int SEEDS = 4;

  /** One life of the scenario: remembers what it was promised, so that it can check it. */
  public interface Run {
    /** Works on the disk until done or {@link CrashException}. */
    void run(SimulatedDisk disk) throws Exception;

    /** Opens what the crash left and checks it; called several times, each with another disk. */
    void check(SimulatedDisk rebooted) throws Exception;
  }

  private CrashPoints() {}

  /**
   * Checks once without a crash too. A failure names the crash point, the policy and the seed.
   *
   * @param start what each run finds, all of it durable; it stays as it is
   * @return changes of a run that is not crashed
   */
  public static long forEach(SimulatedDisk start, Supplier<? extends Run> runs) {
    for (long change = 1;; change++) {
      SimulatedDisk disk = start.reboot(RebootPolicy.EVERYTHING, 0);
      disk.crashAt(change);
      Run run = runs.get();
      boolean crashed = crashes(run, disk);
      for (RebootPolicy policy : RebootPolicy.values()) {
        for (long seed = 1; seed <= (policy.isSeeded() ? SEEDS : 1); seed++) {
          check(run, disk, policy, seed);
        }
      }
      if (!crashed) {
        return disk.changes();
      }
    }
  }

  private static boolean crashes(Run run, SimulatedDisk disk) {
    try {
      run.run(disk);
    } catch (Exception e) {
      if (!disk.isCrashed()) {
        throw new AssertionError("the scenario failed without a crash: " + e, e);
      }
    }
    // A scenario may have swallowed the exception, as a background thread does.
    return disk.isCrashed();
  }

  private static void check(Run run, SimulatedDisk disk, RebootPolicy policy, long seed) {
    try {
      run.check(disk.reboot(policy, seed));
    } catch (Exception | AssertionError e) {
      String when = disk.isCrashed() ? "a crash at " + disk.crashedAt() : "the end";
      throw new AssertionError(
          "after " + when + " and a reboot with " + policy + ", seed " + seed + ": " + e.getMessage(), e);
    }
  }
}
