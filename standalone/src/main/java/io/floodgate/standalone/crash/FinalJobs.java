package io.floodgate.standalone.crash;

import io.floodgate.bench.history.FinalState;
import io.floodgate.standalone.crash.Caller.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** How each job ended, and where, asked one by one. */
final class FinalJobs {
    private static final int CALLERS = 16;
    private static final int TRIES = 10;

    private record Job(String state, String queue) {
        static final Job GONE = new Job("", "");
    }

    private final Map<String, Job> jobs = new ConcurrentHashMap<>();

    private FinalJobs() {}

    static FinalJobs ask(Collection<String> ids, List<String> urls) throws InterruptedException, IOException {
        FinalJobs found = new FinalJobs();
        Queue<String> open = new ConcurrentLinkedQueue<>(ids);
        var all = new ArrayList<Future<?>>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                int first = i;
                all.add(threads.submit(() -> {
                    try (Caller caller = new Caller(urls, first, Duration.ofSeconds(10))) {
                        for (String id = open.poll(); id != null; id = open.poll()) found.jobs.put(id, ask(id, caller));
                    }
                    return first;
                }));
            }
            for (Future<?> each : all) {
                var unused = each.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("how the jobs ended cannot be told", e.getCause());
        }
        return found;
    }

    private static Job ask(String id, Caller caller) throws IOException {
        IOException last = new IOException("nobody answers about job " + id);
        for (int i = 0; i < TRIES; i++) {
            try {
                Response response = caller.get("/ojs/v1/jobs/" + id);
                if (response.status() == 404) return Job.GONE;
                if (!response.isOk()) continue;
                var job = response.json().required("job");
                return new Job(
                        job.required("state").stringValue(),
                        job.required("queue").stringValue());
            } catch (IOException failed) {
                last = failed;
            }
        }
        throw last;
    }

    Map<String, FinalState> statesBut(Set<String> others) {
        return jobs.entrySet().stream()
                .filter(job -> !others.contains(job.getKey()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        job -> job.getValue().equals(Job.GONE)
                                ? FinalState.gone(job.getKey())
                                : new FinalState(job.getKey(), job.getValue().state)));
    }

    /** By queue and state. */
    Map<String, Map<String, Long>> counts() {
        Map<String, Map<String, Long>> counts = new TreeMap<>();
        for (Job job : jobs.values())
            if (!job.equals(Job.GONE))
                counts.computeIfAbsent(job.queue, queue -> new TreeMap<>()).merge(job.state, 1L, Long::sum);
        return counts;
    }
}
