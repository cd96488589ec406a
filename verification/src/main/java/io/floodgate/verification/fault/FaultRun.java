package io.floodgate.verification.fault;

import io.floodgate.verification.chaos.ChaosConfig;
import io.floodgate.verification.chaos.ChaosLoad;
import io.floodgate.verification.chaos.Special;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Rounds;
import io.floodgate.verification.client.Rounds.Ready;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.client.Service.Return;
import io.floodgate.verification.cluster.RoundsSeen;
import io.floodgate.verification.crash.Aftermath;
import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.crash.CrashReport.Judged;
import io.floodgate.verification.crash.Findings;
import io.floodgate.verification.history.Damage;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.linear.SmallQueue;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One fault under load, and a look at what is left. */
final class FaultRun implements FaultTrial {
    private static final Duration EVERY = Duration.ofMillis(500);
    /** After it is back: what was accepted wrongly shows only then. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);

    private static final int PRODUCERS = 16;
    private static final int LIMITED_PRODUCERS = 4;
    private static final int WORKERS = 8;
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Special.Bounds BOUNDS = new Special.Bounds(40, 60_000, 2, Duration.ofSeconds(1));
    /** An early cut comes at a moment from the first file on. */
    private static final int EARLY_MILLIS = 4_000;
    /** How often processes are started again because of one fault. */
    private static final int MOST_ENDS = 10;

    private final FaultPlan plan;
    private final long seed;
    private final FaultSite site;
    private final PrintStream out;
    private final Findings findings;
    private final Random random;
    private final Installation installation;
    private final List<Victim> struck;
    private final Recorder recorder = new Recorder();
    private final List<String> complaints = new ArrayList<>();
    private final List<ChaosLoad> loads = new ArrayList<>();
    private Optional<SmallQueue> smallQueue = Optional.empty();
    private int other;
    private int ends;

    /** @param seed which no other run at this site has: queues are named after it */
    FaultRun(FaultPlan plan, long seed, FaultSite site, PrintStream out) {
        this.plan = plan;
        this.seed = seed;
        this.site = site;
        this.out = out;
        findings = new Findings(out);
        random = new Random(seed);
        installation = site.installation();
        struck = site.struck(random).stream()
                .map(child -> new Victim(child, site.disk(child), site.data(child)))
                .toList();
    }

    @Override
    public FaultSeen run() throws Exception {
        Service service = new Service(installation.urls(), queuePrefix(), plan.partitions(), recorder);
        if (plan.fault().isEarly()) awaitFirstFiles();
        else awaitLoad(service);
        Rounds rounds = Rounds.start(installation.urls(), queuePrefix(), plan.partitions(), EVERY, recorder);
        long cut;
        Return back;
        try (rounds) {
            if (!plan.fault().isEarly()) Await.pause(plan.load());
            cut = System.nanoTime();
            strike();
            back = service.await(FaultSite.PATIENCE, plan.fault().kills() ? this::hasDied : this::isBeyondHelp);
            if (back.complete()) Await.pause(AFTERWARDS);
        }
        RoundsSeen seen = new RoundsSeen(
                installation.urls().size(),
                plan.partitions(),
                EVERY,
                cut,
                System.nanoTime(),
                rounds.rounds(),
                rounds.readies());
        for (Child dead : installation.dead())
            complain(
                    "%s ended by itself with exit code %d: see %s".formatted(dead.name(), dead.exitCode(), dead.log()));
        Optional<List<Judged>> judged = back.complete() ? judge() : Optional.empty();
        for (Victim victim : struck) victim.report().ifPresent(this::lookAtReport);
        return seen(judged, seen, back, ready(rounds.readies(), cut));
    }

    private void awaitLoad(Service service) throws Exception {
        site.start();
        if (!service.await(FaultSite.PATIENCE, this::hasDied).complete())
            throw new IOException("the installation does not serve: see "
                    + struck.getFirst().child().log().getParent());
        site.sync();
        if (plan.disksLie()) for (Victim victim : struck) victim.disk().lie();
        startLoad();
    }

    private boolean hasDied() {
        return struck.stream().anyMatch(victim -> !victim.child().isAlive());
    }

    /** Starts again what has ended, as a supervisor does, until that has not helped often enough. */
    private synchronized boolean isBeyondHelp() {
        try {
            for (Victim victim : struck)
                if (!victim.child().isAlive() && ends++ < MOST_ENDS) {
                    say(victim.end());
                    victim.child().start();
                }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return hasDied();
    }

    /** The load begins at once, so that the first answers are judged, too. */
    private void awaitFirstFiles() throws Exception {
        var unused = CompletableFuture.runAsync(() -> {
            try {
                site.start();
            } catch (Exception never) {
                complain("it does not start: " + never.getMessage());
            }
        });
        startLoad();
        for (Victim victim : struck) Await.until("there are files", FaultSite.PATIENCE, () -> hasFiles(victim.data()));
        Await.pause(Duration.ofMillis(random.nextInt(EARLY_MILLIS)));
    }

    private static boolean hasFiles(Path data) throws IOException {
        try (Stream<Path> found = Files.list(data)) {
            return found.findAny().isPresent();
        }
    }

    private void startLoad() {
        int few = Math.max(1, plan.enqueuesPerSecond() / 5);
        if (!plan.fault().isEarly()) {
            startLoad("bounded", 4, BOUNDS.producers(), few, BOUNDS);
            startLoad("limited", 2 * plan.partitions(), LIMITED_PRODUCERS, few, Special.Limits.twice(few));
        }
        startLoad("fault", 2 * plan.partitions(), PRODUCERS, plan.enqueuesPerSecond(), Special.NOTHING);
        smallQueue = Optional.of(SmallQueue.start(installation.urls(), "small-%d".formatted(seed)));
    }

    /** What else was there before in this installation is not looked at. */
    private String queuePrefix() {
        return "r%d-".formatted(seed);
    }

    private void startLoad(String name, int queues, int producers, int rate, Special special) {
        loads.add(ChaosLoad.start(
                installation.urls(),
                new ChaosConfig(
                        Optional.of(installation.bootstrap()),
                        queuePrefix() + name,
                        queues,
                        producers,
                        WORKERS,
                        rate,
                        LEASE,
                        random.nextLong(),
                        special)));
    }

    private void strike() throws Exception {
        if (plan.fault().kills()) for (Victim victim : struck) victim.child().kill();
        for (Victim victim : struck) say(victim.strike(plan.fault().strike(), random));
        if (plan.fault().kills()) Await.pause(plan.away());
        else
            for (long end = System.nanoTime() + plan.away().toNanos(); System.nanoTime() < end; ) {
                for (Victim victim : struck) victim.readAgain();
                Await.pause(EVERY);
            }
        for (Victim victim : struck) victim.disk().mend();
        if (plan.fault().kills()) for (Victim victim : struck) victim.child().start();
        else isBeyondHelp();
    }

    private void lookAtReport(String report) {
        say(report);
        if (plan.fault().mustBeReported() && plan.target().isNode() && report.equals(Victim.NOT_REPORTED))
            complain("the damage was not reported");
    }

    private void say(String what) {
        out.println("         (%s)".formatted(what));
    }

    private Optional<List<Judged>> judge() throws InterruptedException {
        try {
            if (smallQueue.isPresent()) look(smallQueue.get().judge());
            Aftermath aftermath = new Aftermath(installation, loads, recorder, findings);
            aftermath.lookOnlyAt(queue -> queue.startsWith(queuePrefix()));
            aftermath.awaitQuiet();
            aftermath.look();
            CrashReport report = aftermath.report();
            report.claims().forEach(claim -> claim.broken().forEach(this::complain));
            return Optional.of(report.judged());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception unanswered) {
            complain("it cannot be judged: %s (%s)".formatted(unanswered.getMessage(), unanswered.getCause()));
            return Optional.empty();
        }
    }

    private void look(SmallQueue.Judgement small) {
        if (small.passed()) say(small.words());
        else {
            other++;
            complain(small.words());
        }
    }

    private FaultSeen seen(Optional<List<Judged>> judged, RoundsSeen seen, Return back, String ready) {
        List<Duration> gaps = IntStream.range(0, plan.partitions())
                .mapToObj(seen::longestGap)
                .sorted(Comparator.reverseOrder())
                .toList();
        Damage damage = judged.stream()
                .flatMap(List::stream)
                .map(one -> Damage.of(one.verdict()))
                .reduce(Damage.other(other), Damage::with);
        judged.stream()
                .flatMap(List::stream)
                .filter(one -> !one.verdict().passed())
                .forEach(one -> {
                    out.println(one.whose());
                    one.verdict().print(out);
                });
        return new FaultSeen(seed, damage, judged.isPresent(), gaps, back, ready, complaints);
    }

    /** When gateways were ready again, and how often one was while a partition was silent. */
    private static String ready(List<Ready> readies, long cut) {
        List<Ready> after =
                readies.stream().filter(ready -> ready.begun() > cut).toList();
        Optional<Ready> first =
                after.stream().filter(ready -> ready.status() == 200).findFirst();
        long unready = after.stream()
                .filter(ready -> ready.status() != 200 && ready.status() != 0)
                .count();
        return "%s, 503 %d times"
                .formatted(
                        first.map(ready -> "200 after %.1f s".formatted((ready.ended() - cut) / 1e9))
                                .orElse("never 200"),
                        unready);
    }

    private synchronized void complain(String what) {
        complaints.add(what);
    }

    @Override
    public void close() throws InterruptedException {
        if (smallQueue.isPresent()) smallQueue.get().close();
        for (ChaosLoad load : loads) load.close();
    }
}
