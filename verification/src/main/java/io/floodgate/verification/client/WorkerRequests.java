package io.floodgate.verification.client;

import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bodies of what workers send. */
public final class WorkerRequests {
    private WorkerRequests() {}

    /** @param visibility that of the queue if null */
    public static byte[] fetch(String queue, int count, String worker, @Nullable Duration visibility) {
        JsonOut body = new JsonOut()
                .beginObject()
                .field("queues", List.of(queue))
                .field("count", count)
                .field("worker_id", worker);
        if (visibility != null) body.field("visibility_timeout_ms", visibility.toMillis());
        return body.endObject().toBytes();
    }

    public static byte[] ack(String job, long lease) {
        return new JsonOut()
                .beginObject()
                .field("job_id", job)
                .field("lease", lease)
                .endObject()
                .toBytes();
    }
}
