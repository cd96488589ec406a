package io.floodgate.verification.crash;

import io.floodgate.verification.chaos.ChaosBounds;
import io.floodgate.verification.chaos.ChaosKeys;
import io.floodgate.verification.chaos.ChaosLimits;
import io.floodgate.verification.chaos.ChaosMoves;
import java.util.Optional;

/**
 * What the jobs and queues of a crash test are like; at most one of these.
 *
 * @param bounds of the queues, if they are to be full
 * @param limits of the jobs, if they are to have some
 * @param moves of two more queues beside those of the load, if there are to be some
 * @param keys of the jobs, if they are to be unique
 * @param schedules whether there are schedules that are due every second
 */
record CrashLoad(
        Optional<ChaosBounds> bounds,
        Optional<ChaosLimits> limits,
        Optional<ChaosMoves> moves,
        Optional<ChaosKeys> keys,
        boolean schedules) {
    static CrashLoad ordinary() {
        return new CrashLoad(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    static CrashLoad of(ChaosBounds bounds) {
        return new CrashLoad(Optional.of(bounds), Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    static CrashLoad of(ChaosLimits limits) {
        return new CrashLoad(Optional.empty(), Optional.of(limits), Optional.empty(), Optional.empty(), false);
    }

    static CrashLoad of(ChaosMoves moves) {
        return new CrashLoad(Optional.empty(), Optional.empty(), Optional.of(moves), Optional.empty(), false);
    }

    static CrashLoad of(ChaosKeys keys) {
        return new CrashLoad(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(keys), false);
    }

    static CrashLoad withSchedules() {
        return new CrashLoad(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), true);
    }
}
