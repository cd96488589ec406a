package io.floodgate.gateway.system;

import io.floodgate.topics.LogId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.LogCommand.Tick;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Whether every log answers. Asked at most once a second, however many probes there are. */
public final class Readiness {
    private static final Duration PATIENCE = Duration.ofMillis(1_500);
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** Which logs did not answer in time, and how long it took to find out. */
    public record Finding(List<LogId> silent, int logs, Duration latency) {
        public Finding {
            silent = List.copyOf(silent);
        }

        public boolean isReady() {
            return silent.isEmpty();
        }
    }

    private record Probe(CompletableFuture<Finding> finding, long startedAt) {}

    private final CommandClient client;
    private Probe latest;

    public Readiness(CommandClient client) {
        this.client = client;
        latest = new Probe(new CompletableFuture<>(), System.nanoTime() - 2 * FRESH.toNanos());
    }

    public Finding check() {
        try {
            return probe().join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the logs could not be probed", e.getCause());
        }
    }

    private synchronized CompletableFuture<Finding> probe() {
        long now = System.nanoTime();
        if (now - latest.startedAt > FRESH.toNanos()) latest = new Probe(ask(now), now);
        return latest.finding;
    }

    private CompletableFuture<Finding> ask(long startedAt) {
        List<LogId> logs = client.routing().logs();
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        for (LogId log : logs)
            answers.add(client.send(log, "tick", new Tick(), PATIENCE)
                    .handle((reply, failure) -> failure == null && reply instanceof Reply.Done));
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> {
                    List<LogId> silent = new ArrayList<>();
                    for (int i = 0; i < logs.size(); i++) if (!answers.get(i).join()) silent.add(logs.get(i));
                    return new Finding(silent, logs.size(), Duration.ofNanos(System.nanoTime() - startedAt));
                });
    }
}
