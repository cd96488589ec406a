package io.floodgate.verification.network;

import io.floodgate.topics.Topics;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.KafkaTopics;
import io.floodgate.verification.client.Rounds;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.cluster.RoundsSeen;
import io.floodgate.verification.crash.Aftermath;
import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.crash.Findings;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.linear.SmallQueue;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An installation on three brokers, each process in a network of its own, of which connections are cut for a while. */
final class CutRun {
    private static final String GROUP = "floodgate";
    private static final int BROKERS = 3;
    private static final int GATEWAYS = 2;
    private static final String SMALL = "small-";
    private static final List<String> CLIENTS = List.of("processor-1", "processor-2", "gateway-1", "gateway-2");
    private static final Duration CALM = Duration.ofSeconds(10);
    private static final Duration EVERY = Duration.ofMillis(800);

    private final List<NetworkCut> cuts;
    private final List<Duration> lengths;
    private final int partitions;
    private final List<String> options;
    private final Findings findings;
    private final Recorder recorder = new Recorder();

    CutRun(List<NetworkCut> cuts, List<Duration> lengths, int partitions, List<String> options, PrintStream out) {
        this.cuts = List.copyOf(cuts);
        this.lengths = List.copyOf(lengths);
        this.partitions = partitions;
        this.options = List.copyOf(options);
        findings = new Findings(out);
    }

    CrashReport run(Path directory) throws Exception {
        try (Networks networks = new Networks();
                Installation installation = new Layout(directory, partitions, BROKERS, 2, GATEWAYS)
                        .options(options)
                        .on(networks)
                        .make()) {
            installation.start(Findings.PATIENCE);
            new Service(installation.urls(), partitions, recorder).await(Findings.PATIENCE);
            for (NetworkCut cut : cuts) for (Duration length : lengths) cut(cut, length, installation, networks);
            Aftermath aftermath = new Aftermath(installation, List.of(), recorder, findings);
            // The jobs of small queues are judged by themselves.
            aftermath.lookOnlyAt(queue -> !queue.startsWith(SMALL));
            aftermath.awaitStable();
            aftermath.look();
            findings.stop(installation);
            return aftermath.report();
        }
    }

    private void cut(NetworkCut cut, Duration length, Installation installation, Networks networks) throws Exception {
        int broker;
        try (KafkaTopics cluster = new KafkaTopics(installation.bootstrap())) {
            Await.until("all replicas are in sync", Findings.PATIENCE, cluster::allInSync);
            broker = victim(cut, cluster);
        }
        SmallQueue small = SmallQueue.start(installation.urls(), SMALL + "%s-%d".formatted(cut, length.toSeconds()));
        Rounds rounds = Rounds.start(installation.urls(), partitions, EVERY, recorder);
        long from;
        long healed;
        try (small;
                rounds) {
            Await.pause(CALM);
            from = System.nanoTime();
            findings.say("(%tT.%1$tL cut)".formatted(System.currentTimeMillis()));
            apply(cut, broker, networks);
            Await.pause(length);
            networks.heal();
            healed = System.nanoTime();
            findings.say("(%tT.%1$tL healed)".formatted(System.currentTimeMillis()));
            Await.pause(CALM.multipliedBy(2));
            SmallQueue.Judgement judgement = small.judge();
            if (judgement.passed()) findings.say(judgement.words());
            else findings.complain(judgement.words());
        }
        findings.dead(installation);
        say(cut, length, "cut", rounds, from, healed);
        say(cut, length, "healed", rounds, healed, System.nanoTime());
    }

    private int victim(NetworkCut cut, KafkaTopics cluster) throws Exception {
        int coordinator = cluster.coordinator(GROUP);
        int controller = cluster.controller();
        List<Integer> byLed = IntStream.rangeClosed(1, BROKERS)
                .boxed()
                .sorted(Comparator.comparingLong(number -> -led(cluster, number)))
                .toList();
        int number = switch (cut) {
            case LEADER, PROCESSOR_LEADER ->
                byLed.stream()
                        .filter(each -> each != coordinator && each != controller)
                        .findFirst()
                        .orElseThrow();
            case CONTROLLER -> controller;
            case GATEWAY, CLIENTS -> byLed.getFirst();
            case COORDINATOR, BROKER, ONE_WAY, PROCESSOR, LOSS, DELAY, RESETS -> coordinator;
        };
        findings.say("%s: %s".formatted(cut, cluster.describe(number, GROUP)));
        return number;
    }

    private static long led(KafkaTopics cluster, int broker) {
        try {
            return cluster.led(Topics.COMMANDS, broker);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void apply(NetworkCut cut, int broker, Networks networks) throws Exception {
        String victim = "broker-" + broker;
        switch (cut) {
            case LEADER, COORDINATOR, CONTROLLER -> networks.cutOff(broker, BROKERS);
            case BROKER -> {
                networks.cutOff(broker, BROKERS);
                CLIENTS.forEach(client -> networks.cut(victim, client));
            }
            case ONE_WAY -> {
                for (int other = 1; other <= BROKERS; other++)
                    if (other != broker) networks.cutOneWay("broker-" + other, victim);
            }
            case PROCESSOR, PROCESSOR_LEADER -> networks.cut("processor-1", victim);
            case GATEWAY -> networks.cut("gateway-1", victim);
            case CLIENTS -> CLIENTS.forEach(client -> networks.cut(victim, client));
            case LOSS -> networks.lose(5);
            case DELAY -> networks.delay(Duration.ofMillis(100));
            case RESETS -> networks.reset(50);
        }
    }

    private void say(NetworkCut cut, Duration length, String phase, Rounds rounds, long from, long until) {
        RoundsSeen seen = new RoundsSeen(GATEWAYS, partitions, EVERY, from, until, rounds.rounds(), rounds.readies());
        for (int gateway = 0; gateway < GATEWAYS; gateway++) {
            int asked = gateway;
            findings.say("%-16s %3ds %-7s gateway %d  %s"
                    .formatted(
                            cut,
                            length.toSeconds(),
                            phase,
                            gateway + 1,
                            IntStream.range(0, partitions)
                                    .mapToObj(partition -> "%.1f"
                                            .formatted(seen.longestGap(asked, partition)
                                                            .toMillis()
                                                    / 1_000.0))
                                    .collect(Collectors.joining(" "))));
        }
        findings.say("served %d, not served %d".formatted(seen.millis().length, seen.notServed()));
        seen.untrueAnswers().forEach(findings::say);
    }
}
