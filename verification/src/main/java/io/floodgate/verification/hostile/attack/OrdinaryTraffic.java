package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Swarm;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/** Kills a server that remembers a little of every job. */
public final class OrdinaryTraffic implements Attack {
    private static final int CALLERS = 8;
    private static final int SMALLEST = 1_000;
    private static final int LARGEST = 1_000_000;
    private static final Duration BRIEF = Duration.ofSeconds(15);

    @Override
    public String name() {
        return "ordinary-traffic";
    }

    @Override
    public String what() {
        return "jobs enqueued, fetched and acked, with payloads and results from 1 KB to 1 MB; kill -9 in the midst";
    }

    @Override
    public void run(Target target) throws Exception {
        Duration length = target.isShort() ? BRIEF : target.plan().duration();
        long end = System.nanoTime() + length.toNanos();
        AtomicLong jobs = new AtomicLong();
        AtomicLong bytes = new AtomicLong();
        Thread killer = Thread.startVirtualThread(() -> killHalfway(target, length));
        Swarm.run(CALLERS, number -> {
            try (Caller caller = target.caller()) {
                while (System.nanoTime() < end) cycle(target, caller, number, jobs, bytes);
            }
        });
        killer.join();
        target.note("%,d jobs, %,d MB".formatted(jobs.get(), bytes.get() / 1_000_000));
    }

    private static void killHalfway(Target target, Duration length) {
        try {
            Await.pause(length.dividedBy(2));
            target.killAndRestart();
        } catch (Exception failed) {
            target.complain(failed.toString());
        }
    }

    private static void cycle(Target target, Caller caller, int number, AtomicLong jobs, AtomicLong bytes) {
        String queue = number % 2 == 0 ? target.queue("traffic") : target.queueElsewhere("traffic");
        int size = anySize();
        Heard heard = caller.post(RequestBodies.JOBS, RequestBodies.job(queue, size));
        if (isNotServed(heard, target)) return;
        target.answered(heard.body().at("/job/id").stringValue());
        heard = caller.post(RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), "traffic-" + number, 1, 0));
        if (isNotServed(heard, target)) return;
        for (JsonNode job : heard.body().path("jobs")) {
            int result = anySize();
            String id = job.required("id").stringValue();
            heard = caller.post(RequestBodies.ACK, RequestBodies.ack(id, RequestBodies.text(result)));
            if (isNotServed(heard, target)) return;
            target.completed(id);
            jobs.incrementAndGet();
            bytes.addAndGet(size + result);
        }
    }

    private static boolean isNotServed(Heard heard, Target target) {
        if (heard.isOk()) return false;
        // The server is gone, or has just come back: an ack may find its lease ended.
        boolean honest = heard.status() == 0 || heard.status() == 409 || heard.isHonestlyUnavailable();
        target.complainUnless(honest, "ordinary traffic was answered " + heard.shown());
        Pause.of(Duration.ofMillis(100));
        return true;
    }

    /** As many of each order of magnitude. */
    private static int anySize() {
        double share = ThreadLocalRandom.current().nextDouble();
        return (int) (SMALLEST * Math.pow((double) LARGEST / SMALLEST, share));
    }
}
