package io.floodgate.verification.fault;

import io.floodgate.verification.chaos.ChaosBounds;
import io.floodgate.verification.chaos.ChaosConfig;
import io.floodgate.verification.chaos.ChaosLoad;
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
import io.floodgate.verification.disk.LossyDisk;
import io.floodgate.verification.history.Damage;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One installation, one fault, and a look at what is left. */
final class FaultRun implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMillis(500);
    /** After it is back: what was accepted wrongly shows only then. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(3);

    private static final int PRODUCERS = 16;
    private static final int WORKERS = 8;
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final ChaosBounds BOUNDS = new ChaosBounds(40, 60_000, 2, Duration.ofSeconds(1));
    /** An early cut comes at a moment from the first file on. */
    private static final int EARLY_MILLIS = 4_000;

    private final FaultPlan plan;
    private final long seed;
    private final Path directory;
    private final PrintStream out;
    private final Findings findings;
    private final Random random;
    private final Installation installation;
    private final List<Child> struck;
    private final Map<Child, LossyDisk> disks = new LinkedHashMap<>();
    private final Recorder recorder = new Recorder();
    private final List<String> complaints = new ArrayList<>();
    private final List<ChaosLoad> loads = new ArrayList<>();

    FaultRun(FaultPlan plan, long seed, Path directory, PrintStream out) throws IOException {
        this.plan = plan;
        this.seed = seed;
        this.directory = directory;
        this.out = out;
        findings = new Findings(out);
        random = new Random(seed);
        installation = plan.target().installation(directory, plan.partitions());
        struck = plan.target().struck(installation, random);
    }

    FaultSeen run() throws Exception {
        for (Child child : struck)
            disks.put(child, LossyDisk.mount(plan.target().data(directory, child)));
        Service service = new Service(installation.urls(), plan.partitions(), recorder);
        if (plan.fault().isEarly()) awaitFirstFiles();
        else awaitLoad(service);
        Rounds rounds = Rounds.start(installation.urls(), plan.partitions(), EVERY, recorder);
        long cut;
        Return back;
        try (rounds) {
            if (!plan.fault().isEarly()) Await.pause(plan.load());
            cut = System.nanoTime();
            strike();
            for (Child child : struck) child.start();
            back = service.await(Findings.PATIENCE, this::hasDied);
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
        return seen(judged, seen, back, ready(rounds.readies(), cut));
    }

    private void awaitLoad(Service service) throws Exception {
        installation.start(Findings.PATIENCE);
        if (!service.await(Findings.PATIENCE, this::hasDied).complete())
            throw new IOException("the installation does not serve: see " + directory);
        for (LossyDisk disk : disks.values()) {
            disk.sync();
            if (plan.disksLie()) disk.lie();
        }
        startLoad();
    }

    private boolean hasDied() {
        return struck.stream().anyMatch(child -> !child.isAlive());
    }

    /** The load begins at once, so that the first answers are judged, too. */
    private void awaitFirstFiles() throws Exception {
        var unused = CompletableFuture.runAsync(() -> {
            try {
                installation.start(Findings.PATIENCE);
            } catch (Exception never) {
                complain("it does not start: " + never.getMessage());
            }
        });
        startLoad();
        for (Child child : struck)
            Await.until(
                    "there are files",
                    Findings.PATIENCE,
                    () -> hasFiles(plan.target().data(directory, child)));
        Await.pause(Duration.ofMillis(random.nextInt(EARLY_MILLIS)));
    }

    private static boolean hasFiles(Path data) throws IOException {
        try (Stream<Path> found = Files.list(data)) {
            return found.findAny().isPresent();
        }
    }

    private void startLoad() {
        if (!plan.fault().isEarly())
            loads.add(ChaosLoad.start(
                    installation.urls(),
                    load("bounded", 4, BOUNDS.producers(), Math.max(1, plan.enqueuesPerSecond() / 5))
                            .withBounds(BOUNDS)));
        loads.add(ChaosLoad.start(
                installation.urls(), load("fault", 2 * plan.partitions(), PRODUCERS, plan.enqueuesPerSecond())));
    }

    private ChaosConfig load(String name, int queues, int producers, int rate) {
        return ChaosConfig.plain(
                Optional.of(installation.bootstrap()),
                "%s-%d".formatted(name, seed),
                queues,
                producers,
                WORKERS,
                rate,
                LEASE,
                random.nextLong());
    }

    private void strike() throws Exception {
        for (Child child : struck) child.kill();
        for (Map.Entry<Child, LossyDisk> disk : disks.entrySet())
            out.println("         (power of %s cut: %s)"
                    .formatted(
                            disk.getKey().name(),
                            disk.getValue().cut(plan.fault().cut(), seed)));
        Await.pause(plan.away());
    }

    private Optional<List<Judged>> judge() throws InterruptedException {
        try {
            Aftermath aftermath = new Aftermath(installation, loads, recorder, findings);
            aftermath.awaitQuiet();
            aftermath.look();
            findings.stop(installation);
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

    private FaultSeen seen(Optional<List<Judged>> judged, RoundsSeen seen, Return back, String ready) {
        List<Duration> gaps = IntStream.range(0, plan.partitions())
                .mapToObj(seen::longestGap)
                .sorted(Comparator.reverseOrder())
                .toList();
        Damage damage = judged.stream()
                .flatMap(List::stream)
                .map(one -> Damage.of(one.verdict()))
                .reduce(Damage.NONE, Damage::with);
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

    /** Ends everything that was started, and gives the machine back as it was. */
    @Override
    public void close() throws Exception {
        for (ChaosLoad load : loads) load.close();
        installation.close();
        for (Child child : struck) if (child.isAlive()) child.kill();
        for (LossyDisk disk : disks.values()) disk.close();
    }
}
