package io.floodgate.gateway.system;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of the partitions: which of them answer, and what is wrong with them. They are asked at most once a second,
 * however many callers ask.
 */
public final class Readiness {
    private static final Duration PATIENCE = Duration.ofMillis(1_500);
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** Something is wrong with a partition, until an operator has seen it or it has passed. */
    public record Alarm(PartitionId log, String code, String since, String message) {}

    /**
     * @param silent the partitions that did not answer in time
     * @param quarantine how much failing rules have left lying, in all partitions
     * @param latency how long it took to find out
     * @param loading whether topics are still being read, or cannot be read, without which lists are not complete
     * @param closing whether this gateway is about to stop
     */
    public record Finding(
            List<PartitionId> silent,
            int logs,
            List<Alarm> alarms,
            long quarantine,
            Duration latency,
            boolean loading,
            boolean closing) {
        public Finding {
            silent = List.copyOf(silent);
            alarms = List.copyOf(alarms);
        }

        /** Returns whether at least one partition answers: most callers can be served. */
        public boolean isUsable() {
            return silent.size() < logs;
        }

        public boolean isReady() {
            return isUsable() && !loading && !closing;
        }

        public boolean isWell() {
            return silent.isEmpty() && alarms.isEmpty() && quarantine == 0;
        }

        /** The same, as it is at this moment. */
        Finding now(boolean isLoading, boolean isClosing) {
            return new Finding(silent, logs, alarms, quarantine, latency, isLoading, isClosing);
        }
    }

    private record Probe(CompletableFuture<Finding> finding, long startedAt) {}

    /** The answer of one partition; null if it has none. */
    private record Condition(List<Alarm> alarms, long quarantine) {}

    private final CommandClient client;
    private final BooleanSupplier loaded;
    private final BooleanSupplier closing;
    private Probe latest;

    /** @param loaded whether all that this gateway reads from topics has been read, and goes on being read */
    public Readiness(CommandClient client, BooleanSupplier loaded, BooleanSupplier closing) {
        this.client = client;
        this.loaded = loaded;
        this.closing = closing;
        latest = new Probe(new CompletableFuture<>(), System.nanoTime() - 2 * FRESH.toNanos());
    }

    public Finding check() {
        try {
            return probe().join().now(!loaded.getAsBoolean(), closing.getAsBoolean());
        } catch (CompletionException e) {
            throw new IllegalStateException("the partitions could not be probed", e.getCause());
        }
    }

    private synchronized CompletableFuture<Finding> probe() {
        long now = System.nanoTime();
        if (now - latest.startedAt > FRESH.toNanos()) latest = new Probe(ask(now), now);
        return latest.finding;
    }

    private CompletableFuture<Finding> ask(long startedAt) {
        List<PartitionId> logs = client.routing().logs();
        List<CompletableFuture<@Nullable Condition>> answers = new ArrayList<>();
        for (PartitionId log : logs)
            answers.add(client.send(log, "tick", new Tick(), PATIENCE)
                    .handle((reply, failure) -> failure == null ? condition(log, reply) : null));
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> {
                    List<PartitionId> silent = new ArrayList<>();
                    List<Alarm> alarms = new ArrayList<>();
                    long quarantine = 0;
                    for (int i = 0; i < logs.size(); i++) {
                        Condition condition = answers.get(i).join();
                        if (condition == null) {
                            silent.add(logs.get(i));
                        } else {
                            alarms.addAll(condition.alarms);
                            quarantine += condition.quarantine;
                        }
                    }
                    Duration latency = Duration.ofNanos(System.nanoTime() - startedAt);
                    return new Finding(silent, logs.size(), alarms, quarantine, latency, false, false);
                });
    }

    private static @Nullable Condition condition(PartitionId log, Reply reply) {
        if (!(reply instanceof Reply.Done done)) return null;
        List<Alarm> alarms = new ArrayList<>();
        Long quarantine = null;
        try {
            // An older processor answers with nothing in it.
            if (done.body().length == 0) return new Condition(alarms, 0);
            Members members = Members.of(done.body());
            quarantine = members.number("set_aside");
            for (Members alarm : members.objects("alarms"))
                alarms.add(new Alarm(log, text(alarm, "code"), text(alarm, "since"), text(alarm, "message")));
        } catch (MalformedJson unreadable) {
            // It did answer; what it said belongs to another version.
        }
        return new Condition(alarms, quarantine == null ? 0 : quarantine);
    }

    private static String text(Members members, String name) {
        String text = members.text(name);
        return text == null ? "" : text;
    }
}
