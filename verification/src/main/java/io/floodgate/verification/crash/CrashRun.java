package io.floodgate.verification.crash;

import io.floodgate.topics.Routing;
import io.floodgate.verification.chaos.ChaosBounds;
import io.floodgate.verification.chaos.ChaosConfig;
import io.floodgate.verification.chaos.ChaosLoad;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.client.Service.Return;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** One installation under load, struck again and again, and looked at when all is quiet. */
final class CrashRun {
    /** Longer than a session of a group member and a transaction last. */
    private static final Duration FREEZE = Duration.ofSeconds(13);

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final CrashPlan plan;
    private final Path directory;
    private final PrintStream out;
    private final Random random;
    private final Recorder probes = new Recorder();
    private final List<Blow> blows = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private final long begun = System.nanoTime();

    CrashRun(CrashPlan plan, Path directory, PrintStream out) {
        this.plan = plan;
        this.directory = directory;
        this.out = out;
        random = new Random(plan.seed());
    }

    CrashReport run() throws Exception {
        try (Installation installation = installation()) {
            Thread hook = new Thread(installation::close, "end-children");
            Runtime.getRuntime().addShutdownHook(hook);
            Service service = new Service(installation.urls(), plan.partitions(), probes);
            start(installation, service, "first start");
            List<ChaosLoad> loads = load(installation);
            List<Strike> strikes = Strikes.deal(plan.kills(), plan.victims(), plan.processors() > 1, random);
            for (Strike strike : strikes) {
                awaitMoment(loads);
                deal(strike, installation, service);
                complainOfDead(installation);
            }
            say("all blows are dealt; the workers finish what there is");
            Aftermath aftermath = new Aftermath(installation, loads, probes);
            complaints.addAll(aftermath.awaitQuiet());
            if (plan.stopsInBetween()) {
                stop(installation);
                start(installation, service, "start after an orderly stop, with all the jobs");
                complaints.addAll(aftermath.awaitStable());
            }
            say("looking at what is there");
            CrashReport report = aftermath.report(blows, complaints);
            stop(installation);
            Runtime.getRuntime().removeShutdownHook(hook);
            return report;
        }
    }

    private Installation installation() {
        return plan.inOneProcess()
                ? Installation.node(directory, plan.partitions())
                : Installation.apart(directory, plan.partitions(), plan.processors(), plan.gateways());
    }

    private List<ChaosLoad> load(Installation installation) {
        List<ChaosLoad> loads = new ArrayList<>(ordinaryLoad(installation));
        if (plan.moves().isPresent()) loads.add(ChaosLoad.start(installation.urls(), moved(installation)));
        return loads;
    }

    private List<ChaosLoad> ordinaryLoad(Installation installation) {
        if (plan.bounds().isPresent()) return List.of(ChaosLoad.start(installation.urls(), bounded(installation)));
        if (plan.limits().isPresent()) return List.of(ChaosLoad.start(installation.urls(), limited(installation)));
        List<ChaosLoad> loads = new ArrayList<>();
        int each = Math.max(1, plan.enqueuesPerSecond() / installation.urls().size());
        for (String url : installation.urls()) {
            String prefix = "chaos-%d-%d".formatted(plan.seed(), loads.size());
            loads.add(ChaosLoad.start(
                    url,
                    new ChaosConfig(
                            Optional.of(installation.bootstrap()),
                            prefix,
                            6,
                            6,
                            8,
                            each,
                            plan.lease(),
                            random.nextLong(),
                            Optional.empty(),
                            Optional.empty())));
        }
        return loads;
    }

    /** Few workers, so that queues are full. */
    private ChaosConfig bounded(Installation installation) {
        return new ChaosConfig(
                Optional.of(installation.bootstrap()),
                "bounded-%d".formatted(plan.seed()),
                6,
                plan.bounds().map(ChaosBounds::producers).orElse(0),
                6,
                plan.enqueuesPerSecond(),
                plan.lease(),
                random.nextLong(),
                plan.bounds(),
                Optional.empty());
    }

    /** More queues than logs, so that every key has jobs in all of them. */
    private ChaosConfig limited(Installation installation) {
        return new ChaosConfig(
                Optional.of(installation.bootstrap()),
                "limited-%d".formatted(plan.seed()),
                2 * plan.partitions(),
                8,
                12,
                plan.enqueuesPerSecond(),
                plan.lease(),
                random.nextLong(),
                Optional.empty(),
                plan.limits());
    }

    /** Two queues in different logs, and few workers, so that there is always something to move. */
    private ChaosConfig moved(Installation installation) {
        Routing routing = new Routing(plan.partitions());
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> new ChaosConfig(
                        Optional.of(installation.bootstrap()),
                        "moved-%d-%d".formatted(plan.seed(), i),
                        2,
                        4,
                        6,
                        Math.max(1, plan.enqueuesPerSecond() / 4),
                        plan.lease(),
                        plan.seed(),
                        Optional.empty(),
                        Optional.empty(),
                        plan.moves()))
                .filter(config -> config.queueNames().stream()
                                .map(routing::ofQueue)
                                .distinct()
                                .count()
                        == 2)
                .findFirst()
                .orElseThrow();
    }

    private void start(Installation installation, Service service, String what) throws Exception {
        installation.start(PATIENCE);
        note("all", what, service.await(PATIENCE), installation.processorTime());
    }

    private void stop(Installation installation) throws InterruptedException {
        for (String name : installation.stop(Duration.ofSeconds(30)))
            complaints.add(name + " did not end within 30 s of SIGTERM, and was killed");
    }

    private void deal(Strike strike, Installation installation, Service service)
            throws IOException, InterruptedException {
        List<Child> candidates = installation.all(strike.victim());
        Child victim = candidates.get(random.nextInt(candidates.size()));
        switch (strike.fault()) {
            case KILL -> {
                victim.kill();
                victim.start();
                note(victim, strike, service.await(PATIENCE));
            }
            case KILL_TWICE -> {
                victim.kill();
                victim.start();
                Await.pause(Duration.ofMillis(300 + random.nextInt(3_000)));
                victim.kill();
                victim.start();
                note(victim, strike, service.await(PATIENCE));
            }
            case KILL_AND_LEAVE -> {
                victim.kill();
                note(victim, strike, service.await(PATIENCE));
                victim.start();
            }
            case FREEZE -> {
                Process thaw = victim.freeze(FREEZE);
                Return others = service.await(PATIENCE);
                thaw.waitFor();
                note(victim, strike, others);
                note(victim.name(), "continued", service.await(PATIENCE), victim.processorTime());
            }
            case RESTART -> {
                if (!victim.stop(Duration.ofSeconds(30)))
                    complaints.add(victim.name() + " did not end within 30 s of SIGTERM, and was killed");
                victim.start();
                note(victim, strike, service.await(PATIENCE));
            }
        }
    }

    private void complainOfDead(Installation installation) throws IOException {
        for (Child dead : installation.dead()) {
            complaints.add("%s ended by itself: see %s".formatted(dead.name(), dead.log()));
            dead.start();
        }
    }

    /** A blow that falls while nothing moves would tell nothing of moves. */
    private void awaitMoment(List<ChaosLoad> loads) throws InterruptedException, TimeoutException {
        Await.pause(pause());
        Await.until("a queue is moving", plan.timeToFill(), () -> loads.stream().allMatch(ChaosLoad::isMoving));
    }

    private Duration pause() {
        long millis = plan.pause().toMillis();
        return Duration.ofMillis(millis / 2 + random.nextLong(millis + 1));
    }

    private void note(Child victim, Strike strike, Return service) {
        Duration processorTime = victim.isAlive() ? victim.processorTime() : Duration.ZERO;
        note(victim.name(), strike.fault().toString(), service, processorTime);
    }

    private void note(String victim, String what, Return service, Duration processorTime) {
        Blow blow = new Blow(
                Duration.ofNanos(System.nanoTime() - begun),
                victim,
                what,
                service,
                processorTime,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        blows.add(blow);
        if (!service.complete())
            complaints.add("service was not back within %s after %s: %s".formatted(PATIENCE, victim, what));
        say(CrashReport.line(blow));
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
