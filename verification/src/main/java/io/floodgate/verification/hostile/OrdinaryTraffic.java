package io.floodgate.verification.hostile;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.Swarm;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Jobs of honest callers, with sizes of all orders of magnitude. */
final class OrdinaryTraffic {
    private static final int CALLERS = 8;
    private static final int SMALLEST = 1_000;
    private static final int LARGEST = 1_000_000;
    private static final Duration BRIEF = Duration.ofSeconds(15);

    private OrdinaryTraffic() {}

    static void run(Target target) throws Exception {
        Duration length = target.isShort() ? BRIEF : target.plan().duration();
        long end = System.nanoTime() + length.toNanos();
        AtomicLong rounds = new AtomicLong();
        AtomicLong bytes = new AtomicLong();
        Thread killer = Thread.startVirtualThread(() -> killHalfway(target, length));
        Swarm.run(CALLERS, number -> {
            String queue = number % 2 == 0 ? target.queue("traffic") : target.queueElsewhere("traffic");
            JobRound round = new JobRound(queue, "traffic-" + number, target.ledger());
            try (Caller caller = target.caller()) {
                while (System.nanoTime() < end) {
                    Heard heard = round.go(caller, () -> anySize(bytes), true);
                    if (heard.isOk()) rounds.incrementAndGet();
                    else endureAbsence(heard, target);
                }
            }
        });
        killer.join();
        target.note("%,d rounds, %,d MB".formatted(rounds.get(), bytes.get() / 1_000_000));
    }

    private static void killHalfway(Target target, Duration length) {
        try {
            Await.pause(length.dividedBy(2));
            target.killAndRestart();
        } catch (Exception failed) {
            target.complain(failed.toString());
        }
    }

    /** The server is gone, or has just come back: an ack may find its lease ended. */
    private static void endureAbsence(Heard heard, Target target) {
        boolean honest = heard.status() == 0 || heard.status() == 409 || heard.isHonestlyUnavailable();
        target.complainUnless(honest, "ordinary traffic was answered " + heard.shown());
        Pause.of(Duration.ofMillis(100));
    }

    private static int anySize(AtomicLong bytes) {
        double share = ThreadLocalRandom.current().nextDouble();
        int size = (int) (SMALLEST * Math.pow((double) LARGEST / SMALLEST, share));
        bytes.addAndGet(size);
        return size;
    }
}
