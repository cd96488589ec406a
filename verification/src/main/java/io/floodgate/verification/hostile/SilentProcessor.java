package io.floodgate.verification.hostile;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.RequestBodies;
import io.floodgate.verification.process.Role;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/** One of several: its partitions are silent until another takes over, and no other partition may be affected. */
final class SilentProcessor {
    private static final int CALLERS_PER_PARTITION = 16;
    private static final Duration BEFORE = Duration.ofSeconds(5);
    /** Shorter than what is left of a member's session (6 s): no other processor takes over meanwhile. */
    private static final Duration SILENT = Duration.ofSeconds(4);

    /** Of that, so much is looked at. */
    private static final Duration HEARD = SILENT.minusSeconds(1);

    private static final Duration LATENCY = Duration.ofMillis(100);

    private final Target target;
    /** Of the jobs in each partition that were stored since the last time. */
    private final List<Queue<Long>> latencies;

    private volatile boolean stopped;

    private SilentProcessor(Target target) {
        this.target = target;
        latencies = IntStream.range(0, target.plan().partitions())
                .<Queue<Long>>mapToObj(partition -> new ConcurrentLinkedQueue<>())
                .toList();
    }

    static void run(Target target) throws Exception {
        SilentProcessor silent = new SilentProcessor(target);
        for (int i = 0; i < silent.latencies.size() * CALLERS_PER_PARTITION; i++) {
            int partition = i % silent.latencies.size();
            Thread.startVirtualThread(() -> silent.enqueue(partition));
        }
        try {
            silent.stopOneUnderLoad();
        } finally {
            silent.stopped = true;
        }
        target.awaitService("continued");
    }

    private void enqueue(int partition) {
        byte[] job = RequestBodies.job(target.queueIn(partition, "load"), 100);
        try (Caller caller = target.caller()) {
            while (!stopped) {
                long begun = System.nanoTime();
                if (caller.post(RequestBodies.JOBS, job).isOk())
                    latencies.get(partition).add(System.nanoTime() - begun);
            }
        }
    }

    private void stopOneUnderLoad() throws Exception {
        var unused = during(BEFORE);
        List<List<Long>> before = during(BEFORE);
        Process thaw = target.installation().all(Role.PROCESSOR).getLast().freeze(SILENT);
        // What was under way is answered late or never: it belongs to neither.
        unused = during(Duration.ofMillis(200));
        Thread asking = Thread.startVirtualThread(this::isReadyForTheOthers);
        List<List<Long>> during = during(HEARD);
        thaw.waitFor();
        asking.join();
        compare(before, during);
    }

    private void isReadyForTheOthers() {
        Pause.of(HEARD.dividedBy(2));
        String ready = target.text("/ready");
        target.complainUnless(ready.startsWith("HTTP/1.1 200"), "/ready was answered " + ready);
        target.complainUnless(ready.matches("(?s).*\r\n\r\n.*\\d.*"), "/ready does not name what is missing: " + ready);
    }

    /** The latencies in each partition, the shortest first, from now on. */
    private List<List<Long>> during(Duration length) throws InterruptedException {
        latencies.forEach(Queue::clear);
        Await.pause(length);
        return latencies.stream().map(each -> each.stream().sorted().toList()).toList();
    }

    private void compare(List<List<Long>> before, List<List<Long>> during) {
        int silent = 0;
        for (int partition = 0; partition < before.size(); partition++) {
            List<Long> heard = during.get(partition);
            double rate = heard.size() / (double) HEARD.toMillis();
            double usual = before.get(partition).size() / (double) BEFORE.toMillis();
            if (rate < usual * 0.05) {
                silent++;
                continue;
            }
            target.complainUnless(
                    rate > usual * 0.7,
                    "partition %d had %,.0f jobs/s before, and %,.0f meanwhile"
                            .formatted(partition, usual * 1_000, rate * 1_000));
            long p99 = heard.get(heard.size() * 99 / 100);
            target.complainUnless(
                    p99 < LATENCY.toNanos(),
                    "in partition %d, p99 was %,d ms meanwhile".formatted(partition, p99 / 1_000_000));
        }
        String figure = "%d of %d partitions were silent".formatted(silent, before.size());
        target.note(figure);
        target.complainUnless(silent > 0 && silent < before.size(), figure);
    }
}
