package io.floodgate.bench.run;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.json.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The jobs that are sent: all of the same size, with their number and their queue in their arguments. */
public final class JobBodies {
    static final String TYPE = "bench.job";
    /** As large as a job with a few arguments. */
    public static final int DEFAULT_BYTES = 300;

    private final String queue;
    private final String padding;
    private final byte @Nullable [] unique;

    public JobBodies(String queue, int bytes) {
        this(queue, "x".repeat(Math.max(0, bytes - body(queue, 1_000_000, "", null, null).length)), null);
    }

    private JobBodies(String queue, String padding, byte @Nullable [] unique) {
        this.queue = queue;
        this.padding = padding;
        this.unique = unique;
    }

    /** The same jobs with this policy of uniqueness. */
    JobBodies unique(String policy) {
        return new JobBodies(queue, padding, policy.getBytes(StandardCharsets.UTF_8));
    }

    String queue() {
        return queue;
    }

    /** As a producer sends it over HTTP. */
    byte[] json(long number) {
        return body(queue, number, padding, null, unique);
    }

    /** As a gateway or an embedded producer puts it into the log, under an id of its own making. */
    byte[] json(long number, JobId id) {
        return body(queue, number, padding, id, unique);
    }

    /** {@code {"jobs":[…]}} */
    byte[] batch(long firstNumber, int size) {
        JsonOut out = new JsonOut(size * 320).beginObject().name("jobs").beginArray();
        for (int i = 0; i < size; i++) out.raw(json(firstNumber + i));
        return out.endArray().endObject().toBytes();
    }

    static JobId newId(Slot queue) {
        return JobId.make(
                queue, System.currentTimeMillis(), ThreadLocalRandom.current().nextLong());
    }

    private static byte[] body(
            String queue, long number, String padding, @Nullable JobId id, byte @Nullable [] unique) {
        return SmallJob.end(SmallJob.of(TYPE, queue)
                .id(id == null ? null : id.toString())
                .arg(number)
                .arg(queue)
                .arg(padding)
                .options()
                .optionalRaw("unique", unique));
    }
}
