package io.floodgate.verification.cluster;

import io.floodgate.topics.Topics;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.KafkaTopics;
import io.floodgate.verification.client.Rounds;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.crash.Aftermath;
import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.crash.Findings;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Installation.Member;
import io.floodgate.verification.process.Role;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One installation on several brokers, of which one part after another is gone for a while. */
final class ClusterRun {
    private static final String GROUP = "floodgate";

    /** Before a fault, and after it: what is written then shows what there was to see. */
    private static final Duration CALM = Duration.ofSeconds(5);

    /** Until processors have the same number of logs again, each. */
    private static final Duration BALANCED = Duration.ofSeconds(60);

    /** So much longer than Kafka itself we may be without a broker that is gone: a commit has several steps. */
    private static final Duration AFTER_KAFKA = Duration.ofSeconds(3);

    /** @param used processor time by role, of processes that were there all the time */
    private record Phase(String name, long from, long until, Map<Role, Duration> used) {}

    /**
     * What is run, and what is done to it.
     *
     * @param frozen how long something hangs
     * @param away how long something that was killed or stopped is gone
     * @param every how often each partition is asked through each gateway
     * @param victim the broker that is killed or hangs, from 1; if none is named, the one that coordinates the processors' group
     */
    record Plan(
            List<ClusterFault> faults,
            Duration frozen,
            Duration away,
            Duration every,
            Optional<Integer> victim,
            Layout layout) {
        Plan {
            faults = List.copyOf(faults);
        }
    }

    private final Plan plan;
    private final Findings findings;
    private final Recorder recorder = new Recorder();
    private final List<Phase> phases = new ArrayList<>();
    private List<Member> members = List.of();

    /** How long Kafka needed to do without a broker. */
    private volatile Duration givenUp = Duration.ZERO;

    ClusterRun(Plan plan, PrintStream out) {
        this.plan = plan;
        findings = new Findings(out);
    }

    CrashReport run() throws Exception {
        try (Installation installation = plan.layout().make()) {
            members = installation.members();
            installation.start(Findings.PATIENCE);
            new Service(installation.urls(), plan.layout().partitions(), recorder).await(Findings.PATIENCE);
            findings.say("%-20s %-22s %7s  %-44s %6s %6s  %s"
                    .formatted(
                            "fault",
                            "phase",
                            "s",
                            "longest gap of each partition, s",
                            "rounds",
                            "failed",
                            "p50/p99/p99.9/most, ms"));
            try (KafkaTopics cluster = new KafkaTopics(installation.bootstrap())) {
                for (ClusterFault fault : plan.faults()) {
                    awaitBalance(cluster);
                    Await.until("all replicas are in sync", Findings.PATIENCE, cluster::allInSync);
                    judge(fault, installation, cluster);
                }
            }
            Aftermath aftermath = new Aftermath(installation, List.of(), recorder, findings);
            aftermath.awaitStable();
            aftermath.look();
            findings.stop(installation);
            return aftermath.report();
        }
    }

    private void judge(ClusterFault fault, Installation installation, KafkaTopics cluster) throws Exception {
        phases.clear();
        givenUp = Duration.ZERO;
        Rounds rounds = Rounds.start(installation.urls(), plan.layout().partitions(), plan.every(), recorder);
        try (rounds) {
            Await.pause(CALM.multipliedBy(2));
            strike(fault, installation, cluster);
            for (Child dead : findings.dead(installation)) dead.start();
            Await.pause(CALM);
        }
        for (Phase phase : phases) judge(fault, phase, rounds);
    }

    private void judge(ClusterFault fault, Phase phase, Rounds rounds) {
        RoundsSeen seen = new RoundsSeen(
                plan.layout().gateways(),
                plan.layout().partitions(),
                plan.every(),
                phase.from,
                phase.until,
                rounds.rounds(),
                rounds.readies());
        List<Duration> gaps = IntStream.range(0, plan.layout().partitions())
                .mapToObj(log -> fault.isOfGateways() ? seen.longestGapOfBestGateway(log) : seen.longestGap(log))
                .sorted()
                .toList()
                .reversed();
        long[] millis = seen.millis();
        findings.say("%-20s %-22s %7.1f  %-44s %6d %6d  %d/%d/%d/%d"
                .formatted(
                        fault,
                        phase.name,
                        seconds(Duration.ofNanos(phase.until - phase.from)),
                        String.join(
                                " ",
                                gaps.stream()
                                        .map(gap -> "%.1f".formatted(seconds(gap)))
                                        .toList()),
                        millis.length,
                        seen.notServed(),
                        at(millis, 0.5),
                        at(millis, 0.99),
                        at(millis, 0.999),
                        at(millis, 1)));
        findings.say("(processor time: %s)".formatted(processorTime(phase, millis.length)));
        // A gap is seen from one round to the next one.
        Duration atMost = longer(fault.atMost(), givenUp.plus(AFTER_KAFKA)).plus(plan.every());
        if (gaps.getFirst().compareTo(atMost) > 0)
            findings.complain("%s, %s: a partition was not served for %.1f s, more than %.1f s"
                    .formatted(fault, phase.name, seconds(gaps.getFirst()), seconds(atMost)));
        for (String untrue : seen.untrueAnswers()) findings.complain("%s, %s: %s".formatted(fault, phase.name, untrue));
    }

    private static String processorTime(Phase phase, int rounds) {
        double seconds = (phase.until - phase.from) / 1e9;
        return phase.used.entrySet().stream()
                .map(role -> "%ss %.2f ms per job, %.1f%% of a core"
                        .formatted(
                                role.getKey(),
                                role.getValue().toMillis() / (double) Math.max(1, rounds),
                                role.getValue().toMillis() / seconds / 10))
                .collect(Collectors.joining("; "));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static long at(long[] ascending, double quantile) {
        if (ascending.length == 0) return 0;
        return ascending[Math.min(ascending.length - 1, (int) (quantile * ascending.length))];
    }

    private static double seconds(Duration length) {
        return length.toMillis() / 1_000.0;
    }

    private void strike(ClusterFault fault, Installation installation, KafkaTopics cluster) throws Exception {
        List<Child> brokers = installation.all(Role.BROKER);
        List<Child> processors = installation.all(Role.PROCESSOR);
        List<Child> gateways = installation.all(Role.GATEWAY);
        List<Child> processor = processors.subList(0, 1);
        Doing inSync = () -> awaitInSyncAgain(cluster);
        Doing balanced = () -> balanced(cluster);
        Doing calm = () -> Await.pause(CALM);
        switch (fault) {
            case NONE -> phase("nothing", () -> Await.pause(plan.away()));
            case BROKER_KILLED, BROKER_HUNG -> {
                Child victim = victim(installation, cluster);
                awaitGivenUp(victim, installation, cluster);
                if (fault == ClusterFault.BROKER_HUNG) frozen(victim, inSync);
                else killed(List.of(victim), inSync);
            }
            case BROKERS_ROLLED -> rolled(brokers, inSync);
            case BROKERS_LOST -> {
                List<Child> allButOne = brokers.subList(0, brokers.size() - 1);
                killed(allButOne, () -> {
                    inSync.run();
                    balanced.run();
                });
            }
            case PROCESSOR_KILLED -> killed(processor, balanced);
            case PROCESSOR_FROZEN -> frozen(processors.getFirst(), balanced);
            case PROCESSOR_STOPPED -> stopped(processor, balanced);
            case PROCESSOR_RESTARTED -> rolled(processor, balanced);
            case PROCESSORS_ROLLED -> rolled(processors, balanced);
            case GATEWAY_KILLED -> killed(gateways.subList(0, 1), calm);
            case GATEWAYS_ROLLED -> rolled(gateways, calm);
            case SCALED -> {
                for (int i = 0; i < 2; i++) stopped(processors.subList(1, processors.size()), balanced);
            }
        }
    }

    /** The broker that is struck, and what it is for the others. */
    private Child victim(Installation installation, KafkaTopics cluster) throws Exception {
        int number = plan.victim().isPresent() ? plan.victim().get() : cluster.coordinator(GROUP);
        findings.say("(%s)".formatted(cluster.describe(number, GROUP)));
        return installation.all(Role.BROKER).get(number - 1);
    }

    /** Says how long Kafka itself needs; meanwhile no partition that the broker has takes anything in. */
    private void awaitGivenUp(Child victim, Installation installation, KafkaTopics cluster) {
        int number = installation.all(Role.BROKER).indexOf(victim) + 1;
        long begun = System.nanoTime();
        Thread.ofVirtual().start(() -> {
            try {
                Await.until("Kafka has given the broker up", plan.frozen(), () -> cluster.isGivenUp(number));
                givenUp = Duration.ofNanos(System.nanoTime() - begun);
                findings.say("(Kafka has given broker %d up after %.1f s)".formatted(number, seconds(givenUp)));
            } catch (TimeoutException | InterruptedException never) {
                findings.say("(Kafka has not given broker %d up)".formatted(number));
            }
        });
    }

    private void killed(List<Child> victims, Doing settle) throws Exception {
        phase("killed", () -> {
            for (Child victim : victims) victim.kill();
            Await.pause(plan.away());
        });
        back(victims, settle);
    }

    private void frozen(Child victim, Doing settle) throws Exception {
        phase("frozen", () -> victim.freeze(plan.frozen()).waitFor());
        back(List.of(), settle);
    }

    private void stopped(List<Child> victims, Doing settle) throws Exception {
        phase("stopped", () -> {
            for (Child victim : victims) findings.stop(victim);
            Await.pause(plan.away());
        });
        back(victims, settle);
    }

    /** One after the other. */
    private void rolled(List<Child> victims, Doing settle) throws Exception {
        for (Child victim : victims)
            phase(victim.name(), () -> {
                findings.stop(victim);
                victim.start();
                settle.run();
                Await.pause(CALM);
            });
    }

    private void back(List<Child> victims, Doing settle) throws Exception {
        phase("back", () -> {
            for (Child victim : victims) victim.start();
            settle.run();
            Await.pause(CALM);
        });
    }

    /** For a moment the replicas of a broker that was gone are still reported to be in sync. */
    private static void awaitInSyncAgain(KafkaTopics cluster) throws InterruptedException, TimeoutException {
        Await.pause(CALM);
        Await.until("all replicas are in sync", Findings.PATIENCE, cluster::allInSync);
    }

    private void balanced(KafkaTopics cluster) throws InterruptedException {
        long begun = System.nanoTime();
        awaitBalance(cluster);
        findings.say("(the partitions are balanced after %.1f s)"
                .formatted(seconds(Duration.ofNanos(System.nanoTime() - begun))));
    }

    /** Each processor has the same number of logs, or one more. */
    private void awaitBalance(KafkaTopics cluster) throws InterruptedException {
        try {
            Await.until("all processors have the same number of partitions", BALANCED, () -> {
                List<Integer> shares = cluster.shares(GROUP, Topics.COMMANDS);
                return shares.size() == plan.layout().processors()
                        && shares.stream().mapToInt(share -> share).sum()
                                == plan.layout().partitions()
                        && shares.getLast() - shares.getFirst() <= 1;
            });
        } catch (TimeoutException never) {
            findings.complain(String.valueOf(never.getMessage()));
        }
    }

    private interface Doing {
        void run() throws Exception;
    }

    private void phase(String name, Doing doing) throws Exception {
        findings.say("(%tT.%1$tL %s)".formatted(System.currentTimeMillis(), name));
        Map<Child, Duration> before = new HashMap<>();
        for (Member member : members)
            if (member.process().isAlive())
                before.put(member.process(), member.process().processorTime());
        long from = System.nanoTime();
        doing.run();
        long until = System.nanoTime();
        Map<Role, Duration> used = new EnumMap<>(Role.class);
        for (Member member : members) {
            Duration earlier = before.get(member.process());
            if (earlier == null || !member.process().isAlive()) continue;
            Duration more = member.process().processorTime().minus(earlier);
            if (!more.isNegative()) used.merge(member.role(), more, Duration::plus);
        }
        phases.add(new Phase(name, from, until, used));
    }
}
