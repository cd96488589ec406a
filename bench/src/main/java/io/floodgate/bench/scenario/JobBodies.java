package io.floodgate.bench.scenario;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.json.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The jobs of one queue, all of about 300 bytes, as those with a few arguments have. */
final class JobBodies {
    private static final String PADDING = "x".repeat(170);

    private final String queue;
    private final byte @Nullable [] unique;
    private final int orderKeys;

    JobBodies(String queue) {
        this(queue, null, 0);
    }

    /** @param orderKeys that the jobs have, any of them each; 0 for none */
    JobBodies(String queue, byte @Nullable [] unique, int orderKeys) {
        this.queue = queue;
        this.unique = unique;
        this.orderKeys = orderKeys;
    }

    /** Returns the same jobs with this unique policy. */
    JobBodies unique(String policy) {
        return new JobBodies(queue, policy.getBytes(StandardCharsets.UTF_8), orderKeys);
    }

    String queue() {
        return queue;
    }

    /** Returns a job as a producer sends it over HTTP. The number is its first argument. */
    byte[] json(long number) {
        return json(number, null);
    }

    /** Returns a job as a gateway sends it to a partition, under a new id. */
    byte[] withId(long number) {
        long random = ThreadLocalRandom.current().nextLong();
        return json(number, JobId.make(Slot.of(queue), System.currentTimeMillis(), random));
    }

    /** Returns {@code {"jobs":[…]}}. */
    byte[] batch(long firstNumber, int size) {
        JsonOut out = new JsonOut(size * 320).beginObject().name("jobs").beginArray();
        for (int i = 0; i < size; i++) out.raw(json(firstNumber + i));
        return out.endArray().endObject().toBytes();
    }

    private byte[] json(long number, @Nullable JobId id) {
        // With the queue, so that no two runs have the same unique keys.
        return new JsonOut(384)
                .beginObject()
                .field("type", "bench.job")
                .optional("id", id == null ? null : id.toString())
                .optional(
                        "order_key",
                        orderKeys == 0
                                ? null
                                : "key-" + ThreadLocalRandom.current().nextInt(orderKeys))
                .name("args")
                .beginArray()
                .value(number)
                .value(queue)
                .value(PADDING)
                .endArray()
                .name("options")
                .beginObject()
                .field("queue", queue)
                .optionalRaw("unique", unique)
                .endObject()
                .endObject()
                .toBytes();
    }
}
