package io.floodgate.verification.hostile;

import io.floodgate.verification.client.FinalJobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What the server has given its word for: jobs that it took, and jobs that it called completed. */
final class Ledger {
    /** How long completed jobs can be looked at: hours of large ones have to fit on a disk. */
    static final Duration RETENTION = Duration.ofMinutes(3);

    private static final int MOST_ASKED = 2_000;

    private final ConcurrentLinkedQueue<String> answered = new ConcurrentLinkedQueue<>();
    /** When they were, by {@link System#nanoTime}. */
    private final Map<String, Long> completed = new ConcurrentHashMap<>();

    void answered(String id) {
        answered.add(id);
    }

    void completed(String id) {
        completed.put(id, System.nanoTime());
    }

    void forget() {
        answered.clear();
        completed.clear();
    }

    int size() {
        return answered.size();
    }

    /** Promises that were not kept; of very many jobs, evenly spread ones are asked about. */
    List<String> broken(String url) throws Exception {
        List<String> ids = new ArrayList<>(answered);
        int step = Math.max(1, ids.size() / MOST_ASKED);
        List<String> some = new ArrayList<>();
        for (int i = 0; i < ids.size(); i += step) some.add(ids.get(i));
        // Only what was promised before the question: jobs go on being completed meanwhile.
        Set<String> completedByNow = Set.copyOf(completed.keySet());
        List<String> broken = new ArrayList<>();
        FinalJobs.ask(some, List.of(url)).states().forEach((id, end) -> {
            if (end.isGone() && isForgotten(id)) return;
            if (end.isGone()) broken.add("job %s was answered, and is gone".formatted(id));
            else if (completedByNow.contains(id) && !end.state().equals("completed"))
                broken.add("job %s was answered to be completed, and is %s".formatted(id, end.state()));
        });
        return broken;
    }

    private boolean isForgotten(String id) {
        Long at = completed.get(id);
        return at != null && System.nanoTime() - at >= RETENTION.toNanos();
    }
}
