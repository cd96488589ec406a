package io.floodgate.verification.hostile;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/**
 * Somebody else's traffic in the attacked log: a job enqueued, fetched and acked, three times a second, whether the round
 * before is answered or not. While the server is known to be away, rounds do not count.
 */
final class Canary implements AutoCloseable {
    private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(333);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String url;
    private final String queue;
    private final Ledger ledger;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("canary").daemon().factory());
    /** Threads of its own: virtual ones would wait for those of the attack. */
    private final ExecutorService rounds = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("canary-", 0).daemon().factory());

    private final Queue<Caller> idle = new ConcurrentLinkedQueue<>();
    private final Queue<Caller> all = new ConcurrentLinkedQueue<>();
    /** Even while rounds count; what began in another epoch than it ended in does not. */
    private final AtomicLong epoch = new AtomicLong(1);

    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong underWay = new AtomicLong();

    /** @param latencies of whole rounds, in milliseconds, sorted */
    record Song(List<Double> latencies, long refused, List<String> failures) {
        long rounds() {
            return latencies.size() + refused + failures.size();
        }

        double percentile(double share) {
            if (latencies.isEmpty()) return Double.NaN;
            int rank = (int) Math.ceil(share * latencies.size());
            return latencies.get(Math.clamp(rank - 1, 0, latencies.size() - 1));
        }
    }

    Canary(String url, String queue, Ledger ledger) {
        this.url = url;
        this.queue = queue;
        this.ledger = ledger;
        var unused = clock.scheduleAtFixedRate(
                () -> rounds.execute(this::round), 0, BETWEEN_ROUNDS.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** From now on rounds count, and begin with new connections: the old ones may have been to a process that is gone. */
    void listen() {
        for (Caller old = idle.poll(); old != null; old = idle.poll()) {
            close(old);
        }
        epoch.updateAndGet(now -> now % 2 == 0 ? now : now + 1);
    }

    void ignore() {
        epoch.updateAndGet(now -> now % 2 == 0 ? now + 1 : now);
    }

    /** Rounds since the last song was taken. */
    int sung() {
        return nanos.size() + failures.size() + refused.intValue();
    }

    /** What was heard since the last time. Waits for rounds that are under way. */
    Song take() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long before = epoch.get();
        while (before % 2 == 0 && underWay.get() > 0 && System.nanoTime() < end) TimeUnit.MILLISECONDS.sleep(20);
        List<Double> latencies = new ArrayList<>();
        for (Long each = nanos.poll(); each != null; each = nanos.poll()) latencies.add(each / 1e6);
        Collections.sort(latencies);
        List<String> failed = new ArrayList<>();
        for (String each = failures.poll(); each != null; each = failures.poll()) failed.add(each);
        return new Song(latencies, refused.getAndSet(0), failed);
    }

    private void round() {
        long begunIn = epoch.get();
        if (begunIn % 2 == 0) underWay.incrementAndGet();
        Caller taken = idle.poll();
        Caller caller = taken == null ? connect() : taken;
        long begun = System.nanoTime();
        try {
            Heard heard = enqueue(caller);
            // While it is ignored, somebody may be taking away what answers stand on.
            if (heard.isOk() && begunIn % 2 == 0)
                ledger.answered(heard.body().at("/job/id").stringValue());
            if (heard.isOk()) heard = fetchAndAck(caller);
            long took = System.nanoTime() - begun;
            if (begunIn % 2 == 1 || epoch.get() != begunIn) return;
            if (heard.isOk()) nanos.add(took);
            else if (heard.isHonestlyUnavailable()) refused.incrementAndGet();
            else failures.add("%s after %,d ms".formatted(heard.shown(), took / 1_000_000));
        } finally {
            if (epoch.get() == begunIn) idle.add(caller);
            else close(caller);
            if (begunIn % 2 == 0) underWay.decrementAndGet();
        }
    }

    private void close(Caller caller) {
        all.remove(caller);
        caller.close();
    }

    private Caller connect() {
        Caller caller = new Caller(url, PATIENCE);
        all.add(caller);
        return caller;
    }

    private Heard enqueue(Caller caller) {
        return caller.post(
                "/ojs/v1/jobs", SmallJob.of("canary.sings", queue).arg("tweet").toBytes());
    }

    /** The job need not be the one of this round: rounds may overtake each other. */
    private Heard fetchAndAck(Caller caller) {
        byte[] fetch = new JsonOut()
                .beginObject()
                .field("queues", List.of(queue))
                .field("count", 1)
                .field("worker_id", "canary")
                .endObject()
                .toBytes();
        Heard heard = caller.post("/ojs/v1/workers/fetch", fetch);
        if (!heard.isOk()) return heard;
        for (JsonNode job : heard.body().path("jobs")) {
            String id = job.required("id").stringValue();
            heard = caller.post(
                    "/ojs/v1/workers/ack",
                    new JsonOut()
                            .beginObject()
                            .field("job_id", id)
                            .field("worker_id", "canary")
                            .endObject()
                            .toBytes());
            if (heard.isOk()) ledger.completed(id);
        }
        return heard;
    }

    @Override
    public void close() {
        clock.shutdownNow();
        rounds.shutdown();
        all.forEach(Caller::close);
    }
}
