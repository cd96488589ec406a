package io.floodgate.verification.unique;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Many callers enqueue duplicates of one job at an even rate, while a canary enqueues into another queue. */
final class HotKey {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration OF_CANARY = Duration.ofMillis(20);

    private final List<String> urls;
    private final Queue<Long> ofCanary = new ConcurrentLinkedQueue<>();
    private final Queue<Long> ofDuplicates = new ConcurrentLinkedQueue<>();
    private final Map<Integer, LongAdder> statuses = new ConcurrentHashMap<>();
    private volatile boolean goesOn = true;

    HotKey(List<String> urls) {
        this.urls = urls;
    }

    /** @param callers none: the canary alone, to compare */
    void run(String hot, String key, String canary, int callers, int perSecond, Duration length)
            throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> keepHot(number, hot, key, callers, perSecond)));
        }
        Thread watch = Thread.ofPlatform().daemon().start(() -> ask(canary));
        Pause.of(length);
        goesOn = false;
        watch.join();
        for (Thread thread : threads) thread.join();
    }

    private void keepHot(int number, String queue, String key, int callers, int perSecond) {
        byte[] job = KeyRace.job(queue, null, key, "reject");
        long pause = 1_000_000_000L * callers / perSecond;
        Pause.of(Duration.ofNanos(ThreadLocalRandom.current().nextLong(pause)));
        try (Caller caller = new Caller(urls, number, PATIENCE)) {
            while (goesOn) {
                Heard heard = caller.post("/ojs/v1/jobs", job);
                statuses.computeIfAbsent(heard.status(), status -> new LongAdder())
                        .increment();
                if (heard.status() == 409)
                    ofDuplicates.add(heard.span().ended() - heard.span().begun());
                for (long left = pause; left > 0 && goesOn; left -= 100_000_000L)
                    Pause.of(Duration.ofNanos(Math.min(left, 100_000_000L)));
            }
        }
    }

    private void ask(String queue) {
        byte[] job = SmallJob.end(SmallJob.of("canary", queue).arg("canary").options());
        try (Caller caller = new Caller(urls, 0, PATIENCE)) {
            while (goesOn) {
                Heard heard = caller.post("/ojs/v1/jobs", job);
                ofCanary.add(heard.isOk() ? heard.span().ended() - heard.span().begun() : PATIENCE.toNanos());
                Pause.of(OF_CANARY);
            }
        }
    }

    double canary(double share) {
        return millis(ofCanary, share);
    }

    double duplicates(double share) {
        return millis(ofDuplicates, share);
    }

    int duplicates() {
        return ofDuplicates.size();
    }

    Map<Integer, LongAdder> statuses() {
        return new TreeMap<>(statuses);
    }

    private static double millis(Queue<Long> nanos, double share) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / 1e6;
    }
}
