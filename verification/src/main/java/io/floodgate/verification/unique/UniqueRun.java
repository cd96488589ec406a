package io.floodgate.verification.unique;

import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Role;
import io.floodgate.verification.unique.KeyRace.Outcome;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Both trials, on an installation of its own. */
final class UniqueRun {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final double CANARY_MILLIS = 100;

    private final Path directory;
    private final int partitions;
    private final int gateways;
    private final PrintStream out;

    UniqueRun(Path directory, int partitions, int gateways, PrintStream out) {
        this.directory = directory;
        this.partitions = partitions;
        this.gateways = gateways;
        this.out = out;
    }

    boolean run(int enqueues, int callers, int perSecond, Duration length) throws Exception {
        try (Installation installation = Installation.apart(directory, partitions, 2, gateways)) {
            installation.start(PATIENCE);
            Service service = new Service(installation.urls(), partitions, new Recorder());
            service.await(PATIENCE);
            boolean isOne = race(installation, enqueues);
            service.await(PATIENCE);
            boolean isCalm = callers == 0 || hot(installation, callers, perSecond, length);
            return isOne && isCalm;
        }
    }

    /** One key whose home is in another partition than the queues, some of which are in the partitions of the victim. */
    private boolean race(Installation installation, int enqueues) throws Exception {
        String key = "%064x".formatted(System.nanoTime());
        KeyRace race = new KeyRace(installation.urls(), key);
        List<Thread> threads = race.start(enqueues, Service.queues("race", partitions));
        List<Child> processors = installation.all(Role.PROCESSOR);
        int home = new Routing(partitions).at(Slot.of("unique:" + key)).partition();
        Await.until("the first answers", PATIENCE, () -> race.answered() > enqueues / 20);
        Child victim = processors.get(0);
        int before = race.answered();
        victim.kill();
        victim.start();
        for (Thread thread : threads) thread.join();
        List<Outcome> outcomes = race.outcomes();
        List<Outcome> stored = outcomes.stream().filter(Outcome::isStored).toList();
        long others = outcomes.stream()
                .filter(outcome -> !outcome.isStored()
                        && outcome.status() == 409
                        && stored.size() == 1
                        && outcome.named().equals(stored.getFirst().id()))
                .count();
        long unknown =
                outcomes.stream().filter(outcome -> outcome.unknown() > 0).count();
        out.printf(
                "%,d enqueues of one key (home: partition %d) through %d gateways, kill -9 of %s after %,d answers:%n",
                enqueues, home, gateways, victim.name(), before);
        out.printf(
                "  %d stored, %,d rejected with the id of that job, %,d anything else; %,d were without an answer at"
                        + " first%n",
                stored.size(), others, outcomes.size() - stored.size() - others, unknown);
        return stored.size() == 1 && others == enqueues - 1;
    }

    private boolean hot(Installation installation, int callers, int perSecond, Duration length) throws Exception {
        Routing routing = new Routing(partitions);
        List<String> queues = new ArrayList<>(Service.queues("hot", partitions));
        String key = "%064x".formatted(System.nanoTime());
        int home = routing.at(Slot.of("unique:" + key)).partition();
        // Another partition than that of the key, so that the callers' job is asked for across partitions.
        queues.removeIf(queue -> routing.ofQueue(queue).partition() == home);
        String hot = queues.get(0);
        String canary = queues.get(1);
        try (Caller first = new Caller(installation.urls(), 0, PATIENCE)) {
            var unused = first.post("/ojs/v1/jobs", KeyRace.job(hot, null, key, "reject"));
        }
        HotKey alone = new HotKey(installation.urls());
        alone.run(hot, key, canary, 0, perSecond, length);
        HotKey beside = new HotKey(installation.urls());
        beside.run(hot, key, canary, callers, perSecond, length);
        out.printf(
                "%,d callers of a hot key, %,d duplicates in %d s (p50 %.1f ms, p99 %.1f ms), answers by status %s%n",
                callers,
                beside.duplicates(),
                length.toSeconds(),
                beside.duplicates(0.5),
                beside.duplicates(0.99),
                beside.statuses());
        out.printf(
                "  canary in another queue: p50 %.1f ms, p99 %.1f ms; without the hot key p50 %.1f ms, p99 %.1f ms%n",
                beside.canary(0.5), beside.canary(0.99), alone.canary(0.5), alone.canary(0.99));
        return beside.canary(0.99) < CANARY_MILLIS;
    }
}
