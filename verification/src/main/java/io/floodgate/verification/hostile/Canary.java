package io.floodgate.verification.hostile;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Traffic of another client in the attacked partition: a job enqueued, fetched and acked, three times a second, whether
 * the round before is answered or not. While the server is known to be away, rounds do not count.
 */
final class Canary implements AutoCloseable {
    private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(333);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String url;
    private final JobRound job;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("canary").daemon().factory());
    /** Threads of its own: virtual ones would wait for those of the attack. */
    private final ExecutorService rounds = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("canary-", 0).daemon().factory());

    private final Queue<Caller> idle = new ConcurrentLinkedQueue<>();
    private final Queue<Caller> all = new ConcurrentLinkedQueue<>();
    /** Even while rounds count; what began in another epoch than it ended in does not. */
    private final AtomicLong epoch = new AtomicLong(1);

    private final Queue<Round> heard = new ConcurrentLinkedQueue<>();
    private final long begun = System.nanoTime();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong underWay = new AtomicLong();
    private double phaseBegun;

    /**
     * A round that was served.
     *
     * @param at seconds after the canary has begun
     */
    record Round(double at, double millis) {
        @Override
        public String toString() {
            return "%,.0f ms at %.1f s".formatted(millis, at);
        }
    }

    /** @param served the rounds, the fastest first */
    record Song(List<Round> served, long rejected, List<String> failures) {
        private static final int WORST = 5;

        long rounds() {
            return served.size() + rejected + failures.size();
        }

        double percentile(double share) {
            if (served.isEmpty()) return Double.NaN;
            int rank = (int) Math.ceil(share * served.size());
            return served.get(Math.clamp(rank - 1, 0, served.size() - 1)).millis;
        }

        String figures() {
            return "p50 %.0f, p99 %.0f, max %.0f ms of %d"
                    .formatted(percentile(0.5), percentile(0.99), percentile(1), served.size());
        }

        /** When it took longest: that says what was going on. */
        List<Round> worst() {
            return served.reversed().stream().limit(WORST).toList();
        }
    }

    Canary(String url, String queue, Ledger ledger) {
        this.url = url;
        job = new JobRound(queue, "canary", ledger);
        var unused = clock.scheduleAtFixedRate(
                () -> rounds.execute(this::round), 0, BETWEEN_ROUNDS.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** From now on rounds count, and begin with new connections: the old ones may have been to a process that is gone. */
    void listen() {
        for (Caller old = idle.poll(); old != null; old = idle.poll()) close(old);
        epoch.updateAndGet(now -> now % 2 == 0 ? now : now + 1);
    }

    void ignore() {
        epoch.updateAndGet(now -> now % 2 == 0 ? now + 1 : now);
    }

    /** The rounds that were served since the last phase; the song goes on. */
    Song phase() {
        double from = phaseBegun;
        phaseBegun = (System.nanoTime() - begun) / 1e9;
        List<Round> served = heard.stream()
                .filter(round -> round.at >= from)
                .sorted(Comparator.comparingDouble(Round::millis))
                .toList();
        return new Song(served, 0, List.of());
    }

    /** Rounds since the last song was taken. */
    int sung() {
        return heard.size() + failures.size() + rejected.intValue();
    }

    /** What was heard since the last time. Waits for rounds that are under way. */
    Song take() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long before = epoch.get();
        while (before % 2 == 0 && underWay.get() > 0 && System.nanoTime() < end) TimeUnit.MILLISECONDS.sleep(20);
        List<Round> served = new ArrayList<>();
        for (Round each = heard.poll(); each != null; each = heard.poll()) served.add(each);
        served.sort(Comparator.comparingDouble(Round::millis));
        List<String> failed = new ArrayList<>();
        for (String each = failures.poll(); each != null; each = failures.poll()) failed.add(each);
        return new Song(served, rejected.getAndSet(0), failed);
    }

    private void round() {
        long begunIn = epoch.get();
        if (begunIn % 2 == 0) underWay.incrementAndGet();
        Caller taken = idle.poll();
        Caller caller = taken == null ? connect() : taken;
        long start = System.nanoTime();
        try {
            // While it is ignored, the attack may be removing what answers rest on.
            Heard answer = job.go(caller, () -> 4, begunIn % 2 == 0);
            long took = System.nanoTime() - start;
            if (begunIn % 2 == 1 || epoch.get() != begunIn) return;
            if (answer.isOk()) heard.add(new Round((start - begun) / 1e9, took / 1e6));
            else if (answer.isHonestlyUnavailable()) rejected.incrementAndGet();
            else failures.add("%s after %,d ms".formatted(answer.shown(), took / 1_000_000));
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

    @Override
    public void close() {
        clock.shutdownNow();
        rounds.shutdown();
        all.forEach(Caller::close);
    }
}
