package io.floodgate.verification.hostile;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One way to hurt a server. What only the attack can see goes to {@link Target#complain}. For every attack, the run
 * judges that the process lives and comes back from {@code kill -9}, that answered jobs are there, and that the canary
 * is served.
 *
 * @param what what it does, in a line
 * @param steps one after the other
 * @param processors broker, processors and a gateway as processes of their own; 0: all in one process
 * @param rejectedRounds how many rounds of the canary may be answered with an honest 503, of a hundred
 */
record Attack(String name, String what, List<AttackStep> steps, int processors, int rejectedRounds, Set<Trait> traits) {
    /** What makes an attack different from others, for the run and for its judgement. */
    enum Trait {
        /** No other attack can use the server afterwards. */
        ALONE,
        /** The attack ends the server itself, because that stands on something that goes away. */
        ENDS_SERVER,
        /** A start has nothing to cope with; the short form leaves out {@code kill -9}. */
        NO_TRACES,
        /** The server may log errors, because there are some. */
        LOGS_ERRORS,
        /** It can be repeated until the canary has sung for long enough. */
        REPEATED,
        /**
         * Its records stand before the canary's in the attacked partition, which takes rights on {@code ojs.commands}:
         * rounds wait for them, and only how rounds fail is judged.
         */
        HOLDS_UP_PARTITION
    }

    /** It cannot be tried here, for a reason that lies outside of Floodgate. */
    static final class Skipped extends Exception {
        private static final long serialVersionUID = 1L;

        Skipped(String why) {
            super(why);
        }
    }

    private static final int REJECTED_ROUNDS = 10;

    /** All of them, those first that leave a server others can go on with. */
    static List<Attack> all() {
        return Stream.of(HttpAttacks.all(), ConnectionAttacks.all(), KafkaAttacks.all(), ProcessAttacks.all())
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Attack::needsItsOwnServer))
                .toList();
    }

    static Attack attack(String name, String what, AttackStep... steps) {
        return attack(name, what, Set.of(), steps);
    }

    static Attack attack(String name, String what, Set<Trait> traits, AttackStep... steps) {
        return new Attack(name, what, List.of(steps), 0, REJECTED_ROUNDS, traits);
    }

    Attack onProcessors(int count) {
        return new Attack(name, what, steps, count, rejectedRounds, traits);
    }

    Attack rejectingRounds(int ofHundred) {
        return new Attack(name, what, steps, processors, ofHundred, traits);
    }

    boolean is(Trait trait) {
        return traits.contains(trait);
    }

    boolean needsItsOwnServer() {
        return processors > 0 || is(Trait.ALONE);
    }

    void run(Target target) throws Exception {
        for (AttackStep each : steps) each.run(target);
    }
}
