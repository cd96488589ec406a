package io.floodgate.verification.hostile.attack;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One of several: its partitions are silent until another takes over, and no other partition may be affected. */
public final class SilentProcessor implements Attack {
    private static final int PROCESSORS = 3;
    private static final int CALLERS_PER_LOG = 16;
    private static final Duration BEFORE = Duration.ofSeconds(5);
    /** Shorter than what is left of a member's session (6 s): no other processor takes over meanwhile. */
    private static final Duration SILENT = Duration.ofSeconds(4);

    /** Of that, so much is looked at. */
    private static final Duration HEARD = SILENT.minusSeconds(1);

    private static final Duration LATENCY = Duration.ofMillis(100);
    private static final byte[] NOTHING = new byte[0];

    @Override
    public String name() {
        return "silent-processor";
    }

    @Override
    public String what() {
        return "one of three processors stopped under load: the partitions of the others keep their rate and latency";
    }

    @Override
    public int processors() {
        return PROCESSORS;
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    @Override
    public int rejectedRounds() {
        return 100;
    }

    @Override
    public void run(Target target) throws Exception {
        // The owner of the canary's partition is not known.
        target.whileCanaryIsSilent(() -> runUnanswered(target));
    }

    private static void runUnanswered(Target target) throws Exception {
        int logs = target.plan().partitions();
        List<Load> loads = new ArrayList<>();
        try {
            for (int log = 0; log < logs; log++) loads.add(new Load(target, log));
            Await.pause(BEFORE);
            loads.forEach(Load::take);
            Await.pause(BEFORE);
            List<List<Long>> before = loads.stream().map(Load::take).toList();
            Child victim = target.installation().all(Role.PROCESSOR).getLast();
            Process thaw = victim.freeze(SILENT);
            // What was under way is answered late or never: it belongs to neither.
            Await.pause(Duration.ofMillis(200));
            loads.forEach(Load::take);
            long begun = System.nanoTime();
            Await.pause(HEARD.dividedBy(2));
            readyForTheOthers(target);
            Await.pause(HEARD.minusNanos(System.nanoTime() - begun));
            List<List<Long>> during = loads.stream().map(Load::take).toList();
            thaw.waitFor();
            compare(target, before, during);
        } finally {
            loads.forEach(Load::close);
        }
        target.awaitService("continued");
    }

    private static void compare(Target target, List<List<Long>> before, List<List<Long>> during) {
        int silent = 0;
        for (int log = 0; log < before.size(); log++) {
            double rate = during.get(log).size() / (double) HEARD.toMillis();
            double usual = before.get(log).size() / (double) BEFORE.toMillis();
            if (rate < usual * 0.05) {
                silent++;
                continue;
            }
            target.complainUnless(
                    rate > usual * 0.7,
                    "partition %d had %,.0f jobs/s before, and %,.0f meanwhile"
                            .formatted(log, usual * 1_000, rate * 1_000));
            List<Long> sorted = new ArrayList<>(during.get(log));
            Collections.sort(sorted);
            long p99 = sorted.get(sorted.size() * 99 / 100);
            target.complainUnless(
                    p99 < LATENCY.toNanos(),
                    "in partition %d, p99 was %,d ms meanwhile".formatted(log, p99 / 1_000_000));
        }
        target.note("%d of %d partitions were silent".formatted(silent, before.size()));
        target.complainUnless(
                silent > 0 && silent < before.size(),
                "%d of %d partitions were silent".formatted(silent, before.size()));
    }

    private static void readyForTheOthers(Target target) throws IOException {
        try (HttpConnection connection = new HttpConnection(HttpTarget.parse(target.url()), Duration.ofSeconds(10))) {
            HttpResponse ready = connection.exchange("GET", "/ready", NOTHING);
            target.complainUnless(ready.status() == 200, "/ready was answered " + ready.status());
            target.complainUnless(
                    ready.text().matches("(?s).*\\d.*"), "/ready does not name what is missing: " + ready.text());
        }
    }

    /** Enqueues into one log, by many callers. */
    private static final class Load implements AutoCloseable {
        private final Queue<Long> latencies = new ConcurrentLinkedQueue<>();
        private volatile boolean stopped;

        Load(Target target, int log) {
            String queue = target.queueIn(log, "load");
            for (int i = 0; i < CALLERS_PER_LOG; i++) Thread.startVirtualThread(() -> enqueue(target, queue));
        }

        private void enqueue(Target target, String queue) {
            byte[] job = RequestBodies.job(queue, 100);
            try (Caller caller = target.caller()) {
                while (!stopped) {
                    long begun = System.nanoTime();
                    if (caller.post(RequestBodies.JOBS, job).isOk()) latencies.add(System.nanoTime() - begun);
                }
            }
        }

        List<Long> take() {
            List<Long> taken = new ArrayList<>();
            for (Long each = latencies.poll(); each != null; each = latencies.poll()) taken.add(each);
            return taken;
        }

        @Override
        public void close() {
            stopped = true;
        }
    }
}
