package io.floodgate.verification.client;

import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.history.FinalState;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How each job ended, and where, asked one by one; also the ones that were rejected, as far as their ids are known. */
public final class FinalJobs {
    private static final int CALLERS = 16;
    private static final int TRIES = 20;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private record Job(String state, String queue, @Nullable String token) {
        static final Job GONE = new Job("", "", null);
    }

    private final Map<String, Job> jobs = new ConcurrentHashMap<>();

    private FinalJobs() {}

    public static FinalJobs ask(Collection<String> ids, List<String> urls) throws Exception {
        FinalJobs found = new FinalJobs();
        Queue<String> open = new ConcurrentLinkedQueue<>(ids);
        Swarm.run(CALLERS, first -> {
            try (Caller caller = new Caller(urls, first, PATIENCE)) {
                for (String id = open.poll(); id != null; id = open.poll()) found.jobs.put(id, ask(id, caller));
            }
        });
        return found;
    }

    private static Job ask(String id, Caller caller) throws IOException {
        Heard last = null;
        for (int i = 0; i < TRIES; i++) {
            last = caller.get("/ojs/v1/jobs/" + id);
            if (last.status() == 404) return Job.GONE;
            if (last.isOk())
                return new Job(
                        last.body().at("/job/state").stringValue(),
                        last.body().at("/job/queue").stringValue(),
                        last.body().at("/job/args/0").stringValue(null));
            Pause.of(BETWEEN_TRIES);
        }
        throw new IOException("no answer says how job %s ended: %s".formatted(id, last == null ? "" : last.shown()));
    }

    public Map<String, FinalState> states() {
        return statesBut(Set.of());
    }

    public Map<String, FinalState> statesBut(Set<String> others) {
        return jobs.entrySet().stream()
                .filter(job -> !others.contains(job.getKey()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        job -> job.getValue().equals(Job.GONE)
                                ? FinalState.gone(job.getKey())
                                : new FinalState(job.getKey(), job.getValue().state, job.getValue().token)));
    }

    /** By queue and state. */
    public Map<String, Map<String, Long>> counts() {
        Map<String, Map<String, Long>> counts = new TreeMap<>();
        for (Job job : jobs.values())
            if (!job.equals(Job.GONE))
                counts.computeIfAbsent(job.queue, queue -> new TreeMap<>()).merge(job.state, 1L, Long::sum);
        return counts;
    }
}
