package dev.rowlog.engine.disk;

import java.util.Random;

/** A file or a folder of a {@link SimulatedDisk}, guarded by the disk. */
sealed interface SimulatedNode permits SimulatedBytes, SimulatedFolder {
  /** What the policy leaves of this node, all of it durable. */
  SimulatedNode reboot(RebootPolicy policy, Random random);
}
