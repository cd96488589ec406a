package io.floodgate.bench.chaos;

import io.floodgate.bench.history.FinalState;
import io.floodgate.bench.history.Step;
import io.floodgate.bench.history.Step.Enqueued;
import io.floodgate.bench.history.Step.Fetched;
import io.floodgate.bench.history.Step.Handed;
import io.floodgate.bench.http.HttpTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Asks the server what has become of every job whose id anybody knows, of the refused ones too. */
final class Aftermath {
    private static final int CALLERS = 8;
    private static final int TRIES = 10;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);
    private static final byte[] NOTHING = new byte[0];

    private final HttpTarget target;

    Aftermath(HttpTarget target) {
        this.target = target;
    }

    Map<String, FinalState> of(List<Step> steps) throws IOException, InterruptedException {
        Queue<String> ids = new ConcurrentLinkedQueue<>(ids(steps));
        int expected = ids.size();
        Map<String, FinalState> finals = new ConcurrentHashMap<>();
        List<Thread> asking = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++)
            asking.add(Thread.ofPlatform().daemon().start(() -> {
                try (Caller caller = new Caller(target)) {
                    for (String id = ids.poll(); id != null; id = ids.poll()) ask(caller, id, finals);
                }
            }));
        for (Thread thread : asking) thread.join();
        if (finals.size() != expected)
            throw new IOException(
                    "the server says nothing about %d of %d jobs".formatted(expected - finals.size(), expected));
        return finals;
    }

    private static void ask(Caller caller, String id, Map<String, FinalState> finals) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Caller.Heard heard = caller.call("GET", "/ojs/v1/jobs/" + id, NOTHING);
            if (heard.status() == 404) {
                finals.put(id, FinalState.gone(id));
                return;
            }
            if (heard.status() == 200) {
                finals.put(id, new FinalState(id, heard.body().at("/job/state").stringValue()));
                return;
            }
            Pause.of(BETWEEN_TRIES);
        }
    }

    private static Set<String> ids(List<Step> steps) {
        Set<String> ids = new LinkedHashSet<>();
        for (Step step : steps) {
            if (step instanceof Enqueued enqueued && enqueued.id() != null) ids.add(enqueued.id());
            if (step instanceof Fetched fetched) for (Handed job : fetched.jobs()) ids.add(job.id());
        }
        return ids;
    }
}
