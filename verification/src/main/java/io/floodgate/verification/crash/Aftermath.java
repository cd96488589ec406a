package io.floodgate.verification.crash;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.Topics;
import io.floodgate.verification.chaos.ChaosLoad;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.EventTopic;
import io.floodgate.verification.client.FinalJobs;
import io.floodgate.verification.client.KafkaTopics;
import io.floodgate.verification.client.QueueCounts;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.crash.CrashReport.Judged;
import io.floodgate.verification.history.EventSeen;
import io.floodgate.verification.history.History;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step;
import io.floodgate.verification.history.Step.ClockSet;
import io.floodgate.verification.history.Verdict;
import io.floodgate.verification.process.Installation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** What is left when all is quiet, and whether it can be right. */
public final class Aftermath {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** Of the rounds that ask whether it serves again. */
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(6);

    private final Installation installation;
    private final List<ChaosLoad> loads;
    private final Recorder probes;
    private final Findings findings;
    private final List<Judged> judged = new ArrayList<>();
    private final List<Claim> claims = new ArrayList<>();
    /** What is due while a partition is taken over may be decided so much later than its queues are served again. */
    private static final Duration TO_TAKE_OVER = Duration.ofSeconds(10);

    private Optional<SideLoad> beside = Optional.empty();
    private Predicate<String> isWanted = queue -> true;

    public Aftermath(Installation installation, List<ChaosLoad> loads, Recorder probes, Findings findings) {
        this.installation = installation;
        this.loads = loads;
        this.probes = probes;
        this.findings = findings;
    }

    /** There is also this one, which has been stopped by now. */
    void judge(SideLoad load) {
        beside = Optional.of(load);
    }

    /** Of what others have done in the same installation before, nothing is looked at. */
    public void lookOnlyAt(Predicate<String> queues) {
        isWanted = queues;
    }

    /** Ends the load. */
    public void awaitQuiet() throws InterruptedException {
        Thread[] stops = loads.stream()
                .map(load -> Thread.ofVirtual().start(() -> stop(load)))
                .toArray(Thread[]::new);
        for (Thread stop : stops) stop.join();
        awaitStable();
    }

    private void stop(ChaosLoad load) {
        try {
            load.stop(PATIENCE);
        } catch (IllegalStateException | InterruptedException endless) {
            findings.complain(String.valueOf(endless.getMessage()));
        }
    }

    /**
     * Until everything in the logs is processed, no transaction is open and no message under way. While no processor has a
     * log, no transaction is open either, and its events are yet to come.
     */
    public void awaitStable() throws InterruptedException {
        try (KafkaTopics cluster = new KafkaTopics(installation.bootstrap())) {
            Await.until(
                    "all commands are processed",
                    PATIENCE,
                    () -> cluster.isProcessed(Namespace.NONE.application(), Topics.COMMANDS));
            awaitNoTransaction(cluster);
            awaitNoMessage(cluster);
        } catch (TimeoutException never) {
            findings.complain(String.valueOf(never.getMessage()));
        }
    }

    public void look() throws Exception {
        try (KafkaTopics cluster = new KafkaTopics(installation.bootstrap())) {
            awaitNoEvents(cluster);
            List<EventSeen> events = new EventTopic(installation.bootstrap()).ofQueues(isWanted);
            List<ClockSet> clocks = Step.only(ClockSet.class, probes.steps());
            Set<String> ofOthers = new LinkedHashSet<>();
            for (ChaosLoad load : loads) {
                History history = load.history().with(clocks);
                history.events().forEach(event -> ofOthers.add(event.job()));
                judged.add(new Judged("Load %d".formatted(judged.size() + 1), Verdict.of(history)));
            }
            beside.ifPresent(load -> {
                for (EventSeen event : events) if (load.owns(event.queue())) ofOthers.add(event.job());
                claims.addAll(load.claims(
                        new EventTopic(installation.bootstrap()),
                        findings.longestOutage().plus(TO_TAKE_OVER)));
            });
            Set<String> all = new LinkedHashSet<>();
            events.forEach(event -> all.add(event.job()));
            all.addAll(Step.ids(probes.steps()));
            FinalJobs finals = FinalJobs.ask(all, installation.urls());
            List<EventSeen> ofProbes = events.stream()
                    .filter(event -> !ofOthers.contains(event.job()))
                    .toList();
            History ofRounds = new History(probes.steps(), ofProbes, finals.statesBut(ofOthers));
            judged.add(new Judged("The rounds that ask, all the time, whether it serves again", Verdict.of(ofRounds)));
            claims.addAll(claims(cluster, finals));
        }
    }

    /**
     * Events and states are asked for one after the other: leases of those that were killed have ended by then. There are
     * none if no job is under way.
     */
    private void awaitNoEvents(KafkaTopics cluster) throws InterruptedException {
        List<String> queues =
                Recount.queues(cluster).keySet().stream().filter(isWanted).toList();
        AtomicReference<Map<TopicPartition, Long>> last = new AtomicReference<>(Map.of());
        AtomicLong since = new AtomicLong(System.nanoTime());
        try {
            Await.until("nothing has happened for longer than a lease", PATIENCE, () -> {
                if (QueueCounts.areZero(QueueCounts.UNDER_WAY, queues, installation.urls())) return true;
                Map<TopicPartition, Long> ends = new HashMap<>(cluster.ends(IsolationLevel.READ_COMMITTED));
                ends.keySet().removeIf(each -> !each.topic().equals(Topics.EVENTS));
                if (!ends.equals(last.getAndSet(ends))) since.set(System.nanoTime());
                return System.nanoTime() - since.get() > LONGEST_LEASE.toNanos();
            });
        } catch (TimeoutException busy) {
            // then the checks say what is wrong
        }
    }

    public CrashReport report() {
        return findings.report(judged, claims);
    }

    private List<Claim> claims(KafkaTopics cluster, FinalJobs finals) throws Exception {
        List<Claim> found = new ArrayList<>(List.of(
                new Claim(
                        "the counts of each queue are those of its jobs",
                        Recount.differences(cluster, installation.urls(), finals.counts())),
                new Claim("no transaction stays open on any topic", hangingTransactions(cluster)),
                new Claim("no message between partitions is undelivered", undelivered(cluster))));
        for (ChaosLoad load : loads)
            load.moved()
                    .ifPresent(moved -> found.add(new Claim(
                            "enough has moved to go wrong: " + moved.told(),
                            moved.isEnough() ? List.of() : List.of("too little has moved, or nothing was rejected"))));
        return found;
    }

    /** Looking at jobs is work for the logs too: their last transactions are given time to end. */
    private static List<String> hangingTransactions(KafkaTopics cluster) throws Exception {
        try {
            awaitNoTransaction(cluster);
            return List.of();
        } catch (TimeoutException hanging) {
            return cluster.openTransactions();
        }
    }

    /** So are messages of what is due meanwhile. */
    private static List<String> undelivered(KafkaTopics cluster) throws Exception {
        try {
            awaitNoMessage(cluster);
            return List.of();
        } catch (TimeoutException never) {
            return Recount.undelivered(cluster);
        }
    }

    private static void awaitNoMessage(KafkaTopics cluster) throws InterruptedException, TimeoutException {
        Await.until(
                "every message between partitions has arrived",
                Duration.ofSeconds(30),
                () -> Recount.undelivered(cluster).isEmpty());
    }

    private static void awaitNoTransaction(KafkaTopics cluster) throws InterruptedException, TimeoutException {
        Await.until(
                "no transaction is open",
                Duration.ofSeconds(30),
                () -> cluster.openTransactions().isEmpty());
    }
}
