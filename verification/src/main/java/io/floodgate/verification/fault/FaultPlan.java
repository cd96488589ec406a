package io.floodgate.verification.fault;

import java.time.Duration;

/**
 * What is done, to what, and under which load.
 *
 * @param load how long callers work before the fault
 * @param disksLie whether the disks that are struck acknowledge syncs under load without doing them
 * @param away how long what is struck is gone
 */
record FaultPlan(
        MachineFault fault,
        FaultTarget target,
        Duration load,
        boolean disksLie,
        Duration away,
        int partitions,
        int enqueuesPerSecond) {}
