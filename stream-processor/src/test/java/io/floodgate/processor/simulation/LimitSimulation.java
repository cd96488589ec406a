package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.LimitKeys;
import io.floodgate.topics.PartitionId;
import java.util.List;

/**
 * Limited jobs in a cluster under fire: owners of partitions crash and work on as zombies, messages are late, repeated or lost, clocks
 * are set an hour ahead and back. Starts keep to every limit all the time; in the end every job has run, and nothing is left
 * of any limit.
 */
final class LimitSimulation {
    private static final int MINUTE = 60_000;

    private final Cluster cluster;
    private final LimitStorm storm;
    private final Chance chance;
    private final boolean loses;

    private LimitSimulation(long seed, int rules, boolean loses) {
        chance = new Chance(seed);
        this.loses = loses;
        cluster = new Cluster(chance, chance.oneOf(2, 4, 8), rules, Curses.NONE);
        cluster.faulty = false;
        cluster.clocks.exact = chance.oneIn(2);
        cluster.agenda.runFor(1_000);
        storm = new LimitStorm(cluster);
        storm.moves = !loses;
        cluster.agenda.runFor(1_000);
        // The limits of queues are there before anything goes wrong.
        cluster.faulty = true;
    }

    static void run(long seed) {
        LimitSimulation simulation = new LimitSimulation(seed, Cluster.NEXT, false);
        simulation.rage(250);
        simulation.calmDown();
        PermitCheck.check(simulation.cluster);
        simulation.checkNothingIsLeft();
    }

    /** Kafka loses messages and commands, too: less may run than might, but never more, and all comes to an end. */
    static void losses(long seed) {
        LimitSimulation simulation = new LimitSimulation(seed, Cluster.NEXT, true);
        simulation.rage(250);
        simulation.calmDown();
        PermitCheck.check(simulation.cluster);
        simulation.checkNothingIsLeft();
    }

    /** For its partitions. */
    static Cluster recorded(long seed, int commands) {
        LimitSimulation simulation = new LimitSimulation(seed, LogicVersion.NEWEST, false);
        simulation.rage(commands);
        simulation.endFaults();
        return simulation.cluster;
    }

    private void rage(int commands) {
        for (int i = 0; i < commands; i++) {
            storm.next();
            cluster.agenda.runFor(chance.oneIn(3) ? 0 : chance.oneIn(20) ? chance.below(3_000) : chance.below(40));
            if (loses && chance.oneIn(6)) cluster.loseSome(chance.pick(cluster.logs()));
            if (chance.oneIn(30)) audit(chance.pick(cluster.logs()));
        }
    }

    private void endFaults() {
        cluster.agenda.runFor(1_000);
        cluster.faulty = false;
        cluster.agenda.runFor(10_000);
    }

    private void calmDown() {
        endFaults();
        storm.endAllThatHinders();
        for (int i = 0; i < 40; i++) {
            storm.workOff();
            cluster.agenda.runFor(500);
        }
        // The leases of those who never reported, and what a worker whose clock was an hour ahead wanted. It takes
        // twice as long where a clock has stepped back, and begins hours later where one is ahead.
        cluster.agenda.runFor(150 * MINUTE + 3 * cluster.clocks.apart());
        for (int i = 0; i < 20; i++) {
            storm.workOff();
            cluster.agenda.runFor(500);
        }
        cluster.agenda.runFor(10 * MINUTE);
    }

    private void audit(PartitionId log) {
        if (!cluster.owns(log)) return;
        List<String> problems = cluster.owner(log).engine.audit();
        if (!problems.isEmpty()) throw new AssertionError("log %s: %s".formatted(log, problems));
    }

    private void checkNothingIsLeft() {
        for (PartitionId log : cluster.logs()) {
            audit(log);
            Leftovers.check(log, cluster.owner(log).stores());
            var stores = cluster.owner(log).stores();
            stores.jobs().scan(Keys.allLive(), Keys.after(Keys.allLive()), (key, value) -> {
                throw new AssertionError("job %s has not come to an end".formatted(Keys.jobAtEnd(key)));
            });
            stores.entities().scan(LimitKeys.allLimits(), Keys.after(LimitKeys.allLimits()), (key, value) -> {
                throw new AssertionError("a limit is not forgotten: " + Keys.nameAtEnd(key));
            });
            stores.entities().scan(LimitKeys.allAccounts(), Keys.after(LimitKeys.allAccounts()), (key, value) -> {
                throw new AssertionError("permits of %s are asked for in %s".formatted(Keys.nameAtEnd(key), log));
            });
        }
    }
}
