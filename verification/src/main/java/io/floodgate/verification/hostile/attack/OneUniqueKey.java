package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Swarm;
import io.floodgate.verification.hostile.Target;
import java.util.concurrent.atomic.AtomicInteger;

/** Jobs that are unique in a state they are not in share a key, and all of its rows are one record. */
public final class OneUniqueKey implements Attack {
    private static final int CONNECTIONS = 8;

    @Override
    public String name() {
        return "one-unique-key";
    }

    @Override
    public String what() {
        return "8 connections that enqueue jobs of one unique key, which counts cancelled jobs only";
    }

    @Override
    public void run(Target target) throws Exception {
        byte[] job = bytes(
                "{\"type\":\"a\",\"queue\":\"%s\",\"args\":[],\"unique\":{\"keys\":[\"type\",\"queue\"],\"states\":[\"cancelled\"]}}"
                        .formatted(target.queue("one-key")));
        AtomicInteger stored = new AtomicInteger();
        long end = System.nanoTime() + target.scaled(40, 5) * 1_000_000_000L;
        Swarm.run(CONNECTIONS, number -> {
            try (Caller caller = target.caller()) {
                while (System.nanoTime() < end) {
                    Heard heard = caller.post(RequestBodies.JOBS, job);
                    if (heard.isOk()) stored.incrementAndGet();
                    else if (heard.status() != 429 && !heard.isHonestlyUnavailable())
                        target.complain("a job was answered " + heard.shown());
                }
            }
        });
        target.note("%,d jobs stored".formatted(stored.get()));
    }
}
