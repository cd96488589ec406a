package io.floodgate.verification.crash;

import io.floodgate.verification.process.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** One thing that is planned to go wrong. */
record Strike(Role victim, Fault fault) {
    /** What is done to a process. */
    enum Fault {
        KILL("kill -9"),
        /** The second time while it is busy coming back. */
        KILL_TWICE("kill -9, and again while it starts"),
        /** Others have to notice, and take over. */
        KILL_AND_LEAVE("kill -9, others take over"),
        /** Longer than a session and a transaction may last: the process wakes up when others have taken over. */
        FREEZE("stopped for 13 s, then continued"),
        RESTART("stopped by SIGTERM"),
        /** By a second or by an hour, ahead or back; and then to the right time. */
        CLOCK("its clock is set");

        private final String words;

        Fault(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /**
     * Deals out what goes wrong, the same for the same seed: as many {@code kill -9} as asked for, spread over the victims, one in five of them hard to take; and beside them,
     * for every ten, a freeze and an orderly restart, one of each at least when there are five or more.
     *
     * @param clocks how often a clock is set
     */
    static List<Strike> deal(int kills, int clocks, List<Role> victims, boolean othersCanTakeOver, Random random) {
        List<Strike> strikes = new ArrayList<>();
        for (int i = 0; i < kills; i++) {
            Role victim = victims.get(i % victims.size());
            strikes.add(new Strike(victim, kind(i / victims.size(), victim, othersCanTakeOver)));
        }
        int others = kills >= 5 ? Math.max(1, kills / 10) : 0;
        for (int i = 0; i < others; i++) {
            strikes.add(new Strike(victims.get(random.nextInt(victims.size())), Fault.FREEZE));
            strikes.add(new Strike(victims.get(random.nextInt(victims.size())), Fault.RESTART));
        }
        for (int i = 0; i < clocks; i++) strikes.add(new Strike(victims.get(i % victims.size()), Fault.CLOCK));
        Collections.shuffle(strikes, random);
        return strikes;
    }

    private static Fault kind(int number, Role victim, boolean othersCanTakeOver) {
        if (number % 5 == 3) return Fault.KILL_TWICE;
        if (number % 5 == 4 && victim == Role.PROCESSOR && othersCanTakeOver) return Fault.KILL_AND_LEAVE;
        return Fault.KILL;
    }
}
