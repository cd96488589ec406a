package io.floodgate.processor.simulation;

import java.util.List;

/** Draws times from the edges: a rule that is one millisecond off shows nowhere else. */
final class WalkTimes {
    private static final long HOUR = 3_600_000;
    private static final List<Long> LONG =
            List.of(1_800_000L, HOUR, 2 * HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR);

    private WalkTimes() {}

    static long next(Chance chance, long now, Reference reference) {
        if (chance.oneIn(120)) return now + chance.pick(LONG) + chance.below(3) - 1;
        return switch (chance.below(8)) {
            case 0, 1, 2 -> now;
            case 3 -> now + 1;
            case 4 -> now + chance.below(2_000);
            default -> edge(chance, now, reference);
        };
    }

    /** A moment at which something is due, a millisecond before or after; rather one that is near. */
    private static long edge(Chance chance, long now, Reference reference) {
        List<Long> due = reference.dueTimes().stream().filter(at -> at > now).toList();
        if (due.isEmpty()) return now + chance.pick(Submission.LENGTHS);
        long at = chance.pick(due);
        for (int i = 0; i < 3; i++) at = Math.min(at, chance.pick(due));
        return Math.max(now, at + chance.below(3) - 1);
    }
}
