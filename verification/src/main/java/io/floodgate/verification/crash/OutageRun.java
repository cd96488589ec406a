package io.floodgate.verification.crash;

import io.floodgate.topics.Topics;
import io.floodgate.verification.chaos.ChaosConfig;
import io.floodgate.verification.chaos.ChaosLoad;
import io.floodgate.verification.chaos.Special;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.KafkaTopics;
import io.floodgate.verification.client.Rounds;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Ports;
import io.floodgate.verification.process.Role;
import io.floodgate.verification.process.SecondBroker;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** One installation under load, of which one part after another is gone for a while. */
final class OutageRun {
    /** A processor's session lasts 6 s. */
    private static final Duration TAKEN_OVER = Duration.ofSeconds(20);

    private static final int PROCESSORS = 2;

    private static final int GATEWAYS = 2;
    private static final int WORKERS = 8;
    private static final int QUEUES = 6;

    /**
     * @param length of each outage
     * @param pause between being back and the next one
     */
    record Plan(Duration length, Duration pause, int partitions, int enqueuesPerSecond, long seed, Set<Gone> parts) {
        Plan {
            parts = Set.copyOf(parts);
        }
    }

    /** What is gone. */
    enum Gone {
        STOPPED_BROKER("broker", "stopped in its tracks"),
        KILLED_BROKER("broker", "kill -9"),
        STOPPED_PROCESSOR("processor", "stopped in its tracks"),
        KILLED_PROCESSOR("processor", "kill -9"),
        LEADER("leader", "of one partition: kill -9");

        private final String who;
        private final String what;

        Gone(String who, String what) {
            this.who = who;
            this.what = what;
        }
    }

    private final Plan plan;
    private final Path directory;
    private final Findings findings;
    private final Random random;
    private final Recorder probes = new Recorder();

    OutageRun(Plan plan, Path directory, PrintStream out) {
        this.plan = plan;
        this.directory = directory;
        findings = new Findings(out);
        random = new Random(plan.seed());
    }

    CrashReport run() throws Exception {
        int controller = Ports.free();
        try (Installation installation = new Layout(directory, plan.partitions(), 1, PROCESSORS, GATEWAYS).make()) {
            SecondBroker.prepare(installation, controller);
            installation.start(Findings.PATIENCE);
            Service service = new Service(installation.urls(), plan.partitions(), probes);
            service.await(Findings.PATIENCE);
            try (Child second = secondBroker(installation, controller)) {
                Aftermath aftermath = run(installation, second, service);
                findings.stop(installation);
                return aftermath.report();
            }
        }
    }

    private Aftermath run(Installation installation, Child second, Service service) throws Exception {
        List<ChaosLoad> loads = List.of(ChaosLoad.start(installation.urls(), load(installation)));
        for (Gone gone : Gone.values()) {
            if (!plan.parts().contains(gone)) continue;
            if (gone == Gone.LEADER) giveALogTo(second, installation);
            Await.pause(plan.pause());
            outage(gone, victim(gone, installation, second), installation, service);
        }
        findings.say("everything is back; the workers finish what there is");
        Aftermath aftermath = new Aftermath(installation, loads, probes, findings);
        aftermath.awaitQuiet();
        aftermath.look();
        return aftermath;
    }

    private Child secondBroker(Installation installation, int controller) throws Exception {
        try (KafkaTopics cluster = new KafkaTopics(installation.bootstrap())) {
            return SecondBroker.in(directory, controller, cluster.clusterId());
        }
    }

    /** This log is on it, and nothing else. */
    private void giveALogTo(Child second, Installation installation) throws Exception {
        second.start();
        try (KafkaTopics cluster = new KafkaTopics(installation.bootstrap())) {
            Await.until("the second broker has joined", Findings.PATIENCE, () -> cluster.brokers() == 2);
            cluster.move(new TopicPartition(Topics.COMMANDS, withoutLeader()), SecondBroker.NODE_ID, Findings.PATIENCE);
        }
    }

    private int withoutLeader() {
        return plan.partitions() - 1;
    }

    private ChaosConfig load(Installation installation) {
        return new ChaosConfig(
                Optional.of(installation.bootstrap()),
                "outage-%d".formatted(plan.seed()),
                QUEUES,
                GATEWAYS * 2,
                WORKERS,
                plan.enqueuesPerSecond(),
                ChaosConfig.DEFAULT_LEASE,
                random.nextLong(),
                Special.NOTHING);
    }

    private static Child victim(Gone gone, Installation installation, Child second) {
        return switch (gone) {
            case STOPPED_BROKER, KILLED_BROKER -> installation.all(Role.BROKER).getFirst();
            case STOPPED_PROCESSOR -> installation.all(Role.PROCESSOR).getFirst();
            case KILLED_PROCESSOR -> installation.all(Role.PROCESSOR).getLast();
            case LEADER -> second;
        };
    }

    private void outage(Gone gone, Child victim, Installation installation, Service service)
            throws IOException, InterruptedException {
        long from;
        long until;
        // Four in a second in each partition.
        Duration every = Duration.ofMillis(250).multipliedBy(GATEWAYS);
        Rounds rounds = Rounds.start(installation.urls(), plan.partitions(), every, probes);
        try (rounds) {
            from = System.nanoTime();
            strike(gone, victim);
            until = System.nanoTime();
            if (!victim.isAlive()) victim.start();
            String what = "%s, for %d s".formatted(gone.what, plan.length().toSeconds());
            findings.blow(gone.who, what, service.await(Findings.PATIENCE), victim.processorTime());
        }
        OutageSeen seen = new OutageSeen(plan.partitions(), from, until, rounds.rounds());
        findings.say("          " + seen.summary());
        List<String> found = switch (gone) {
            case STOPPED_BROKER, KILLED_BROKER ->
                seen.complaints(IntStream.range(0, plan.partitions()).boxed().collect(Collectors.toSet()));
            // After one of them has come back, the other may have more than half of the logs.
            case STOPPED_PROCESSOR, KILLED_PROCESSOR ->
                seen.complaints(plan.partitions() / (2 * PROCESSORS), TAKEN_OVER);
            case LEADER -> seen.complaints(Set.of(withoutLeader()));
        };
        for (String complaint : found) findings.complain("%s %s: %s".formatted(gone.who, gone.what, complaint));
        for (Child dead : findings.dead(installation)) dead.start();
    }

    private void strike(Gone gone, Child victim) throws IOException, InterruptedException {
        switch (gone) {
            case STOPPED_BROKER, STOPPED_PROCESSOR ->
                victim.freeze(plan.length()).waitFor();
            case KILLED_BROKER, KILLED_PROCESSOR, LEADER -> {
                victim.kill();
                Await.pause(plan.length());
            }
        }
    }
}
