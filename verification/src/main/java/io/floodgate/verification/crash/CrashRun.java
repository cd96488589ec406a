package io.floodgate.verification.crash;

import io.floodgate.topics.Routing;
import io.floodgate.verification.chaos.ChaosConfig;
import io.floodgate.verification.chaos.ChaosLoad;
import io.floodgate.verification.chaos.Special;
import io.floodgate.verification.chaos.Special.Bounds;
import io.floodgate.verification.chaos.Special.Keys;
import io.floodgate.verification.chaos.Special.Limits;
import io.floodgate.verification.chaos.Special.Moves;
import io.floodgate.verification.chaos.Special.Nothing;
import io.floodgate.verification.chaos.Special.Order;
import io.floodgate.verification.chaos.Special.TenantBounds;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.client.Service.Return;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Span;
import io.floodgate.verification.history.Step.ClockSet;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Installation.Member;
import io.floodgate.verification.process.Role;
import io.floodgate.verification.process.SetClock;
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

    /**
     * What a run is like.
     *
     * @param clocks how often a clock is set
     * @param victims roles that are struck; {@link Role#NODE} alone, or any of the others
     * @param pause between service being back and the next blow: half of it at least, one and a half of it at most
     * @param lease how long workers may be silent about a job
     * @param enqueuesPerSecond by all producers together
     * @param special what distinguishes the jobs and queues
     * @param beside what there is beside these jobs
     */
    record Plan(
            int kills,
            int clocks,
            List<Role> victims,
            Duration pause,
            Duration lease,
            long seed,
            Layout layout,
            int enqueuesPerSecond,
            Special special,
            SideLoad.Beginning beside) {
        Plan {
            victims = List.copyOf(victims);
        }

        /** Worth its time in a run of some length: all is stopped in order at the end, and looked at after another start. */
        boolean stopsInBetween() {
            return kills >= 5;
        }

        /** Until there is something to move, at the longest. */
        Duration timeToFill() {
            return Duration.ofMinutes(2).plusMillis(special instanceof Moves moves ? 5L * moves.jobs() : 0);
        }
    }

    private final Plan plan;
    private final Findings findings;
    private final Random random;
    private final Recorder probes = new Recorder();

    CrashRun(Plan plan, PrintStream out) {
        this.plan = plan;
        findings = new Findings(out);
        random = new Random(plan.seed());
    }

    CrashReport run() throws Exception {
        try (Installation installation = plan.layout().make()) {
            if (plan.clocks() > 0) giveClocks(installation);
            Service service = new Service(installation.urls(), plan.layout().partitions(), probes);
            start(installation, service, "first start");
            Optional<SideLoad> beside = plan.beside().begin(installation, plan.seed());
            List<ChaosLoad> loads = load(installation);
            List<Strike> strikes = Strike.deal(
                    plan.kills(), plan.clocks(), plan.victims(), plan.layout().processors() > 1, random);
            for (Strike strike : strikes) {
                awaitMoment(loads);
                deal(strike, installation, service);
                for (Child dead : findings.dead(installation)) dead.start();
            }
            findings.say("all blows are dealt; the workers finish what there is");
            Aftermath aftermath = new Aftermath(installation, loads, probes, findings);
            if (beside.isPresent()) {
                stop(beside.get());
                aftermath.judge(beside.get());
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

    private void stop(SideLoad load) throws InterruptedException {
        try (load) {
            load.stop();
        } catch (TimeoutException never) {
            findings.complain(String.valueOf(never.getMessage()));
        }
    }

    private List<ChaosLoad> load(Installation installation) {
        List<ChaosLoad> loads = new ArrayList<>();
        int rate = plan.enqueuesPerSecond();
        // More queues than partitions: each key has jobs in all of them.
        int queues = 2 * plan.layout().partitions();
        switch (plan.special()) {
            // Few workers, so that queues are full.
            case Bounds bounds -> loads.add(start("bounded", 6, bounds.producers(), 6, rate, installation));
            case Limits limits -> loads.add(start("limited", queues, 8, 12, rate, installation));
            case Keys keys -> loads.add(start("unique", queues, 16, 12, rate, installation));
            case TenantBounds bounds -> loads.add(start("tenants", queues, 64, 16, rate, installation));
            case Order order -> loads.add(start("ordered", queues, 16, 12, rate, installation));
            case Nothing nothing -> ordinaryLoad(loads, installation);
            case Moves moves -> {
                ordinaryLoad(loads, installation);
                // Few workers, so that there is always something to move.
                loads.add(start(movedPrefix(), 2, 4, 6, Math.max(1, rate / 4), installation));
            }
        }
        return loads;
    }

    private void ordinaryLoad(List<ChaosLoad> loads, Installation installation) {
        int each = Math.max(1, plan.enqueuesPerSecond() / installation.urls().size());
        for (String url : installation.urls()) {
            ChaosConfig config =
                    config("chaos-%d-%d".formatted(plan.seed(), loads.size()), 6, 6, 8, each, installation);
            loads.add(ChaosLoad.start(List.of(url), config.with(Special.NOTHING)));
        }
    }

    private ChaosLoad start(String name, int queues, int producers, int workers, int rate, Installation installation) {
        String prefix = "%s-%d".formatted(name, plan.seed());
        return ChaosLoad.start(installation.urls(), config(prefix, queues, producers, workers, rate, installation));
    }

    private ChaosConfig config(
            String prefix, int queues, int producers, int workers, int rate, Installation installation) {
        Optional<String> bootstrap = Optional.of(installation.bootstrap());
        long seed = random.nextLong();
        return new ChaosConfig(bootstrap, prefix, queues, producers, workers, rate, plan.lease(), seed, plan.special());
    }

    /** Of two queues in different partitions. */
    private String movedPrefix() {
        Routing routing = new Routing(plan.layout().partitions());
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj("moved-%d"::formatted)
                .filter(name -> !routing.ofQueue("%s-%d-0".formatted(name, plan.seed()))
                        .equals(routing.ofQueue("%s-%d-1".formatted(name, plan.seed()))))
                .findFirst()
                .orElseThrow();
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
