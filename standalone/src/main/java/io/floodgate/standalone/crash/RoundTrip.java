package io.floodgate.standalone.crash;

import io.floodgate.bench.history.Answer;
import io.floodgate.bench.history.Recorder;
import io.floodgate.bench.history.Span;
import io.floodgate.bench.history.Step;
import io.floodgate.bench.history.Step.Handed;
import io.floodgate.standalone.crash.Caller.Response;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A job enqueued, fetched and acked on one queue; written down like everything else. */
final class RoundTrip {
    /** Short, so that what a dead caller has in hand is soon with the next one. */
    private static final Duration VISIBILITY = Duration.ofSeconds(5);

    private final String queue;
    private final Recorder recorder;
    private long number;

    RoundTrip(String queue, Recorder recorder) {
        this.queue = queue;
        this.recorder = recorder;
    }

    /** Whether a job went in and one came out. */
    boolean goesThrough(Caller caller) {
        if (!enqueue(caller)) return false;
        List<Handed> jobs = fetch(caller);
        jobs.forEach(job -> ack(caller, job));
        return !jobs.isEmpty();
    }

    private boolean enqueue(Caller caller) {
        String token = "%s/%d/%d".formatted(queue, ProcessHandle.current().pid(), number++);
        byte[] body = new JsonOut()
                .beginObject()
                .field("type", "crash.probe")
                .name("args")
                .beginArray()
                .value(token)
                .endArray()
                .name("options")
                .beginObject()
                .field("queue", queue)
                .endObject()
                .endObject()
                .toBytes();
        long begun = System.nanoTime();
        String id = null;
        Answer answer = Answer.UNKNOWN;
        try {
            Response response = caller.post("/ojs/v1/jobs", body);
            answer = answer(response);
            if (response.isOk())
                id = response.json().required("job").required("id").stringValue();
        } catch (IOException failed) {
            // nobody knows
        }
        recorder.add(new Step.Enqueued(span(begun), token, id, null, answer));
        return answer == Answer.OK;
    }

    private List<Handed> fetch(Caller caller) {
        byte[] body = new JsonOut()
                .beginObject()
                .field("queues", List.of(queue))
                .field("count", 100)
                .field("worker_id", worker())
                .field("visibility_timeout_ms", VISIBILITY.toMillis())
                .endObject()
                .toBytes();
        long begun = System.nanoTime();
        List<Handed> jobs = new ArrayList<>();
        try {
            Response response = caller.post("/ojs/v1/workers/fetch", body);
            if (!response.isOk()) return List.of();
            for (JsonNode job : response.json().required("jobs"))
                jobs.add(new Handed(
                        job.required("id").stringValue(),
                        job.required("args").required(0).stringValue(),
                        job.required("lease").longValue()));
        } catch (IOException failed) {
            return List.of();
        }
        if (!jobs.isEmpty()) recorder.add(new Step.Fetched(span(begun), worker(), VISIBILITY, jobs));
        return jobs;
    }

    private void ack(Caller caller, Handed job) {
        byte[] body = new JsonOut()
                .beginObject()
                .field("job_id", job.id())
                .field("lease", job.lease())
                .endObject()
                .toBytes();
        long begun = System.nanoTime();
        Answer answer = tryAck(caller, body);
        recorder.add(new Step.Acked(span(begun), worker(), job.id(), job.lease(), answer));
    }

    private static Answer tryAck(Caller caller, byte[] body) {
        try {
            return answer(caller.post("/ojs/v1/workers/ack", body));
        } catch (IOException failed) {
            return Answer.UNKNOWN;
        }
    }

    private String worker() {
        return "probe-of-" + queue;
    }

    private static Answer answer(Response response) {
        if (response.isOk()) return Answer.OK;
        return response.isRefusal() ? Answer.REFUSED : Answer.UNKNOWN;
    }

    private static Span span(long begun) {
        return new Span(begun, System.nanoTime());
    }
}
