package io.floodgate.verification.hostile;

import io.floodgate.verification.client.FinalJobs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What the server has given its word for: jobs that it took, and jobs that it called completed. */
final class Ledger {
    private static final int MOST_ASKED = 2_000;

    private final ConcurrentLinkedQueue<String> answered = new ConcurrentLinkedQueue<>();
    private final Map<String, Boolean> completed = new ConcurrentHashMap<>();

    void answered(String id) {
        answered.add(id);
    }

    void completed(String id) {
        completed.put(id, true);
    }

    void forget() {
        answered.clear();
        completed.clear();
    }

    int size() {
        return answered.size();
    }

    /** Promises that were not kept; of very many jobs, evenly spread ones are asked about. */
    List<String> broken(String url) throws InterruptedException, IOException {
        List<String> ids = new ArrayList<>(answered);
        int step = Math.max(1, ids.size() / MOST_ASKED);
        List<String> some = new ArrayList<>();
        for (int i = 0; i < ids.size(); i += step) some.add(ids.get(i));
        // Only what was promised before the question: jobs go on being completed meanwhile.
        Set<String> completedByNow = Set.copyOf(completed.keySet());
        List<String> broken = new ArrayList<>();
        FinalJobs.ask(some, List.of(url)).states().forEach((id, end) -> {
            if (end.isGone()) broken.add("job %s was answered, and is gone".formatted(id));
            else if (completedByNow.contains(id) && !end.state().equals("completed"))
                broken.add("job %s was answered to be completed, and is %s".formatted(id, end.state()));
        });
        return broken;
    }
}
