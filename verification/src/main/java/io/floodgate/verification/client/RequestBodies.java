package io.floodgate.verification.client;

import io.floodgate.topics.json.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Paths and bodies of requests, and what they are filled with. */
public final class RequestBodies {
    public static final String JOBS = "/ojs/v1/jobs";
    public static final String BATCH = "/ojs/v1/jobs/batch";
    public static final String FETCH = "/ojs/v1/workers/fetch";
    public static final String ACK = "/ojs/v1/workers/ack";
    public static final String NACK = "/ojs/v1/workers/nack";
    public static final String HEARTBEAT = "/ojs/v1/workers/heartbeat";
    public static final byte[] NOTHING = new byte[0];

    private RequestBodies() {}

    /** Text that compresses as little as real payloads do. */
    public static String text(int length) {
        byte[] bytes = new byte[length / 2 + 1];
        ThreadLocalRandom.current().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes).substring(0, length);
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** JSON whose quotes are written as apostrophes; values are inserted as they are. */
    public static byte[] json(String template, Object... values) {
        return bytes(template.replace('\'', '"').formatted(values));
    }

    /** The elements of an array of strings that need no escapes. */
    public static String strings(List<String> values) {
        return values.isEmpty() ? "" : "\"" + String.join("\",\"", values) + "\"";
    }

    public static byte[] job(String queue, int bytes) {
        return json("{'type':'hostile.job','queue':'%s','args':['%s']}", queue, text(bytes));
    }

    public static byte[] fetch(String queue, String worker, int count, long waitMs) {
        return fetch(List.of(queue), worker, count, waitMs);
    }

    public static byte[] fetch(List<String> queues, String worker, int count, long waitMs) {
        return json("{'queues':[%s],'worker_id':'%s','count':%d,'wait_ms':%d}", strings(queues), worker, count, waitMs);
    }

    /** A fetch whose leases have this length, in milliseconds. */
    public static byte[] fetchFor(long visibilityMs, String queue, String worker, int count) {
        return json(
                "{'queues':['%s'],'worker_id':'%s','count':%d,'visibility_timeout_ms':%d}",
                queue, worker, count, visibilityMs);
    }

    public static byte[] ack(String job, long lease) {
        return json("{'job_id':'%s','lease':%d}", job, lease);
    }

    public static byte[] ack(String job, String result) {
        return json("{'job_id':'%s','result':'%s'}", job, result);
    }

    /**
     * The configuration of a queue.
     *
     * @param figure what is bounded, as its configuration names it
     * @param bound zero for none
     */
    public static byte[] bounded(String strategy, String figure, long bound) {
        return json("{'backpressure':{'strategy':'%s','%s':%d}}", strategy, figure, bound);
    }

    public static byte[] batch(List<byte[]> jobs) {
        JsonOut out = new JsonOut(jobs.size() * 128).beginObject().name("jobs").beginArray();
        jobs.forEach(out::raw);
        return out.endArray().endObject().toBytes();
    }

    /** As a record in a partition has it: without the object around. */
    public static byte[] array(List<byte[]> jobs) {
        JsonOut out = new JsonOut(jobs.size() * 128).beginArray();
        jobs.forEach(out::raw);
        return out.endArray().toBytes();
    }
}
