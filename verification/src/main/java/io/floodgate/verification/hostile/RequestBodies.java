package io.floodgate.verification.hostile;

import io.floodgate.topics.json.JsonOut;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Bodies of requests, and what they are filled with. */
public final class RequestBodies {
    public static final String JOBS = "/ojs/v1/jobs";
    public static final String BATCH = "/ojs/v1/jobs/batch";
    public static final String FETCH = "/ojs/v1/workers/fetch";
    public static final String ACK = "/ojs/v1/workers/ack";
    public static final String HEARTBEAT = "/ojs/v1/workers/heartbeat";

    private RequestBodies() {}

    /** Text that compresses as little as real payloads do. */
    public static String text(int length) {
        byte[] bytes = new byte[length / 2 + 1];
        ThreadLocalRandom.current().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes).substring(0, length);
    }

    /** JSON whose quotes are written as apostrophes. */
    static byte[] json(String template, Object... values) {
        return KafkaSender.bytes(template.replace('\'', '"').formatted(values));
    }

    public static byte[] job(String queue, int bytes) {
        return json("{'type':'hostile.job','queue':'%s','args':['%s']}", queue, text(bytes));
    }

    static byte[] fetch(String queue, String worker, int count, long waitMs) {
        return fetch(List.of(queue), worker, count, waitMs);
    }

    public static byte[] fetch(List<String> queues, String worker, int count, long waitMs) {
        return new JsonOut()
                .beginObject()
                .field("queues", queues)
                .field("worker_id", worker)
                .field("count", count)
                .field("wait_ms", waitMs)
                .endObject()
                .toBytes();
    }

    public static byte[] ack(String job, String result) {
        return new JsonOut(result.length() + 128)
                .beginObject()
                .field("job_id", job)
                .field("result", result)
                .endObject()
                .toBytes();
    }

    public static byte[] batch(List<byte[]> jobs) {
        JsonOut out = new JsonOut(jobs.size() * 128).beginObject().name("jobs").beginArray();
        jobs.forEach(out::raw);
        return out.endArray().endObject().toBytes();
    }

    /** As a record in a partition has it: without the object around. */
    static byte[] array(List<byte[]> jobs) {
        JsonOut out = new JsonOut(jobs.size() * 128).beginArray();
        jobs.forEach(out::raw);
        return out.endArray().toBytes();
    }
}
