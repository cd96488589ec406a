package io.floodgate.verification.cost;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.client.WorkerRequests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/** Jobs that are enqueued, fetched and acked over HTTP, by turns in a queue of each partition, through each gateway. */
final class JobLoad {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final List<String> urls;
    private final List<String> queues;
    private final ConcurrentLinkedQueue<Long> enqueues = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> jobs = new ConcurrentLinkedQueue<>();
    private final AtomicInteger rejected = new AtomicInteger();

    JobLoad(List<String> urls, int partitions) {
        this.urls = List.copyOf(urls);
        queues = Service.queues("cost", partitions);
    }

    /** At an even rate, from as many callers as that takes. */
    void atRate(int jobsPerSecond, Duration length) throws InterruptedException {
        AtomicLong number = new AtomicLong();
        long begun = System.nanoTime();
        long end = begun + length.toNanos();
        double apart = 1e9 / jobsPerSecond;
        run(Math.clamp(jobsPerSecond / 4, 4, 64), caller -> {
            long next = number.getAndIncrement();
            long at = begun + (long) (next * apart);
            if (at >= end) return false;
            Pause.of(Duration.ofNanos(Math.max(0, at - System.nanoTime())));
            goRound(caller, next);
            return true;
        });
    }

    /** Each caller begins its next job when the one before has ended. */
    void withoutPause(int callers, Duration length) throws InterruptedException {
        AtomicLong number = new AtomicLong();
        long end = System.nanoTime() + length.toNanos();
        run(callers, caller -> {
            if (System.nanoTime() >= end) return false;
            goRound(caller, number.getAndIncrement());
            return true;
        });
    }

    private interface Turn {
        boolean take(Caller caller);
    }

    private void run(int callers, Turn turn) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int first = i;
            threads.add(Thread.ofPlatform().start(() -> {
                try (Caller caller = new Caller(urls, first, PATIENCE)) {
                    while (turn.take(caller)) {}
                }
            }));
        }
        for (Thread thread : threads) thread.join();
    }

    private void goRound(Caller caller, long number) {
        String queue = queues.get((int) (number % queues.size()));
        long begun = System.nanoTime();
        Heard enqueued = caller.post(
                "/ojs/v1/jobs",
                SmallJob.of("cost.probe", queue).arg(Long.toString(number)).toBytes());
        if (!enqueued.isOk()) rejected.incrementAndGet();
        enqueues.add(System.nanoTime() - begun);
        byte[] fetch = WorkerRequests.fetch(queue, 1, "cost", null);
        Heard fetched = caller.post("/ojs/v1/workers/fetch", fetch);
        if (!fetched.isOk()) {
            rejected.incrementAndGet();
            return;
        }
        for (JsonNode job : fetched.body().required("jobs")) ack(caller, job);
        jobs.add(System.nanoTime() - begun);
    }

    private void ack(Caller caller, JsonNode job) {
        byte[] ack = WorkerRequests.ack(
                job.required("id").stringValue(), job.required("lease").longValue());
        if (!caller.post("/ojs/v1/workers/ack", ack).isOk()) rejected.incrementAndGet();
    }

    /** How long each enqueue took, ascending, in ns. */
    long[] enqueues() {
        return sorted(enqueues);
    }

    /** How long each job took from its enqueue to the answer of its ack, ascending, in ns. */
    long[] jobs() {
        return sorted(jobs);
    }

    int rejected() {
        return rejected.get();
    }

    private static long[] sorted(ConcurrentLinkedQueue<Long> nanos) {
        return nanos.stream().mapToLong(each -> each).sorted().toArray();
    }
}
