package io.floodgate.verification.crash;

import io.floodgate.topics.Routing;
import io.floodgate.verification.chaos.ChaosBounds;
import io.floodgate.verification.chaos.ChaosConfig;
import io.floodgate.verification.chaos.ChaosLoad;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.client.Service.Return;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Span;
import io.floodgate.verification.history.Step.ClockSet;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Member;
import io.floodgate.verification.process.Role;
import io.floodgate.verification.process.SetClock;
import io.floodgate.verification.schedules.ScheduledLoad;
import java.io.IOException;
import java.io.PrintStream;
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

    /** A broker's clock that is further ahead stands still for partitions. */
    private static final Duration BELIEVED = Duration.ofMinutes(10);

    private static final List<Duration> CLOCK_STEPS =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(-1), Duration.ofHours(1), Duration.ofHours(-1));

    private final CrashPlan plan;
    private final Path directory;
    private final Findings findings;
    private final Random random;
    private final Recorder probes = new Recorder();

    CrashRun(CrashPlan plan, Path directory, PrintStream out) {
        this.plan = plan;
        this.directory = directory;
        findings = new Findings(out);
        random = new Random(plan.seed());
    }

    CrashReport run() throws Exception {
        try (Installation installation = installation()) {
            if (plan.clocks() > 0) giveClocks(installation);
            Service service = new Service(installation.urls(), plan.partitions(), probes);
            start(installation, service, "first start");
            List<ChaosLoad> loads = load(installation);
            Optional<ScheduledLoad> schedules = schedules(installation);
            List<Strike> strikes =
                    Strikes.deal(plan.kills(), plan.clocks(), plan.victims(), plan.processors() > 1, random);
            for (Strike strike : strikes) {
                awaitMoment(loads);
                deal(strike, installation, service);
                for (Child dead : findings.dead(installation)) dead.start();
            }
            findings.say("all blows are dealt; the workers finish what there is");
            Aftermath aftermath = new Aftermath(installation, loads, probes, findings);
            if (schedules.isPresent()) {
                stop(schedules.get());
                aftermath.judge(schedules.get());
            }
            aftermath.awaitQuiet();
            if (plan.stopsInBetween()) {
                findings.stop(installation);
                start(installation, service, "start after an orderly stop, with all the jobs");
                aftermath.awaitStable();
            }
            findings.say("looking at what is there");
            aftermath.look();
            findings.stop(installation);
            return aftermath.report();
        }
    }

    private static void giveClocks(Installation installation) throws IOException {
        Path library = SetClock.library().orElseThrow();
        for (Member member : installation.members()) member.process().giveClock(library);
    }

    private Optional<ScheduledLoad> schedules(Installation installation) throws InterruptedException, TimeoutException {
        return plan.load().schedules()
                ? Optional.of(ScheduledLoad.start(installation.urls(), "scheduled-%d".formatted(plan.seed())))
                : Optional.empty();
    }

    private void stop(ScheduledLoad schedules) throws InterruptedException {
        try (schedules) {
            schedules.stop();
        } catch (TimeoutException never) {
            findings.complain(String.valueOf(never.getMessage()));
        }
    }

    private Installation installation() throws IOException {
        if (plan.inOneProcess()) return Installation.node(directory, plan.partitions());
        return plan.brokers() > 1
                ? Installation.cluster(
                        directory, plan.brokers(), plan.partitions(), plan.processors(), plan.gateways(), List.of())
                : Installation.apart(directory, plan.partitions(), plan.processors(), plan.gateways());
    }

    private List<ChaosLoad> load(Installation installation) {
        List<ChaosLoad> loads = new ArrayList<>(ordinaryLoad(installation));
        if (plan.load().moves().isPresent()) loads.add(ChaosLoad.start(installation.urls(), moved(installation)));
        return loads;
    }

    private List<ChaosLoad> ordinaryLoad(Installation installation) {
        if (plan.load().bounds().isPresent())
            return List.of(ChaosLoad.start(installation.urls(), bounded(installation)));
        if (plan.load().limits().isPresent())
            return List.of(ChaosLoad.start(installation.urls(), limited(installation)));
        if (plan.load().keys().isPresent()) return List.of(ChaosLoad.start(installation.urls(), unique(installation)));
        List<ChaosLoad> loads = new ArrayList<>();
        int each = Math.max(1, plan.enqueuesPerSecond() / installation.urls().size());
        for (String url : installation.urls()) {
            String prefix = "chaos-%d-%d".formatted(plan.seed(), loads.size());
            loads.add(ChaosLoad.start(url, load(installation, prefix, 6, 6, 8, each, random.nextLong())));
        }
        return loads;
    }

    private ChaosConfig load(
            Installation installation, String prefix, int queues, int producers, int workers, int rate, long seed) {
        return ChaosConfig.plain(
                Optional.of(installation.bootstrap()), prefix, queues, producers, workers, rate, plan.lease(), seed);
    }

    /** Few workers, so that queues are full. */
    private ChaosConfig bounded(Installation installation) {
        ChaosBounds bounds = plan.load().bounds().orElseThrow();
        String prefix = "bounded-%d".formatted(plan.seed());
        return load(installation, prefix, 6, bounds.producers(), 6, plan.enqueuesPerSecond(), random.nextLong())
                .withBounds(bounds);
    }

    /** More queues than logs, so that every key has jobs in all of them. */
    private ChaosConfig limited(Installation installation) {
        String prefix = "limited-%d".formatted(plan.seed());
        int queues = 2 * plan.partitions();
        return load(installation, prefix, queues, 8, 12, plan.enqueuesPerSecond(), random.nextLong())
                .withLimits(plan.load().limits().orElseThrow());
    }

    /** More queues than logs: jobs of a key, its home and the ids of the jobs are in all of them. */
    private ChaosConfig unique(Installation installation) {
        String prefix = "unique-%d".formatted(plan.seed());
        int queues = 2 * plan.partitions();
        return load(installation, prefix, queues, 16, 12, plan.enqueuesPerSecond(), plan.seed())
                .withKeys(plan.load().keys().orElseThrow());
    }

    /** Two queues in different logs, and few workers, so that there is always something to move. */
    private ChaosConfig moved(Installation installation) {
        Routing routing = new Routing(plan.partitions());
        int rate = Math.max(1, plan.enqueuesPerSecond() / 4);
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "moved-%d-%d".formatted(plan.seed(), i))
                .map(prefix -> load(installation, prefix, 2, 4, 6, rate, plan.seed()))
                .filter(config -> config.queueNames().stream()
                                .map(routing::ofQueue)
                                .distinct()
                                .count()
                        == 2)
                .findFirst()
                .orElseThrow()
                .withMoves(plan.load().moves().orElseThrow());
    }

    private void start(Installation installation, Service service, String what) throws Exception {
        installation.start(Findings.PATIENCE);
        findings.blow("all", what, back(service), installation.processorTime());
    }

    private static Return back(Service service) throws InterruptedException {
        return service.await(Findings.PATIENCE);
    }

    private void deal(Strike strike, Installation installation, Service service)
            throws IOException, InterruptedException {
        List<Child> candidates = installation.all(strike.victim());
        Child victim = candidates.get(random.nextInt(candidates.size()));
        switch (strike.fault()) {
            case KILL -> {
                victim.kill();
                victim.start();
                note(victim, strike, back(service));
            }
            case KILL_TWICE -> {
                victim.kill();
                victim.start();
                Await.pause(Duration.ofMillis(300 + random.nextInt(3_000)));
                victim.kill();
                victim.start();
                note(victim, strike, back(service));
            }
            case KILL_AND_LEAVE -> {
                victim.kill();
                note(victim, strike, back(service));
                victim.start();
            }
            case FREEZE -> {
                Process thaw = victim.freeze(FREEZE);
                Return others = back(service);
                thaw.waitFor();
                note(victim, strike, others);
                findings.blow(victim.name(), "continued", back(service), victim.processorTime());
            }
            case RESTART -> {
                findings.stop(victim);
                victim.start();
                note(victim, strike, back(service));
            }
            case CLOCK -> {
                Duration step = CLOCK_STEPS.get(random.nextInt(CLOCK_STEPS.size()));
                setClock(strike, victim, step, step);
                Await.pause(pause());
                note(victim, "clock set by %+,d s".formatted(step.toSeconds()), back(service));
                setClock(strike, victim, Duration.ZERO, step.negated());
                Await.pause(pause());
                note(victim, "clock set right", back(service));
            }
        }
    }

    private void setClock(Strike strike, Child victim, Duration ahead, Duration by) throws IOException {
        long begun = System.nanoTime();
        victim.setClock(ahead);
        boolean isBelieved = strike.victim() == Role.BROKER && by.abs().compareTo(BELIEVED) <= 0;
        if (isBelieved) probes.add(new ClockSet(new Span(begun, System.nanoTime()), victim.name(), by));
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
        note(victim, strike.fault().toString(), service);
    }

    private void note(Child victim, String what, Return service) {
        Duration processorTime = victim.isAlive() ? victim.processorTime() : Duration.ZERO;
        findings.blow(victim.name(), what, service, processorTime);
    }
}
