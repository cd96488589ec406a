package io.floodgate.verification.client;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step;
import io.floodgate.verification.history.Step.Handed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/** A job enqueued, fetched and acked on one queue; written down like everything else. */
final class RoundTrip {
    /** Short, so that what a dead caller has in hand is soon with the next one. */
    private static final Duration VISIBILITY = Duration.ofSeconds(5);

    private static final AtomicLong NUMBER = new AtomicLong();

    private final String queue;
    private final Recorder recorder;

    RoundTrip(String queue, Recorder recorder) {
        this.queue = queue;
        this.recorder = recorder;
    }

    /** Whether a job went in and one came out. */
    boolean goesThrough(Caller caller) {
        if (!enqueue(caller).isOk()) return false;
        List<Handed> jobs = fetch(caller);
        jobs.forEach(job -> ack(caller, job));
        return !jobs.isEmpty();
    }

    /**
     * Whether each of the three requests was answered well. Another caller that asks at the same queue may have taken the
     * job: then there is nothing to ack.
     */
    boolean isServed(Caller caller) {
        if (!enqueue(caller).isOk()) return false;
        Optional<List<Handed>> jobs = tryToFetch(caller);
        if (jobs.isEmpty()) return false;
        boolean acked = true;
        for (Handed job : jobs.get()) acked &= ack(caller, job);
        return acked;
    }

    Heard enqueue(Caller caller) {
        String token = "%s/%d/%d".formatted(queue, ProcessHandle.current().pid(), NUMBER.getAndIncrement());
        byte[] body = SmallJob.of("crash.probe", queue).arg(token).toBytes();
        Heard heard = caller.post("/ojs/v1/jobs", body);
        String id = heard.isOk() ? heard.body().at("/job/id").stringValue() : null;
        recorder.add(new Step.Enqueued(heard.span(), token, id, null, heard.answer()));
        return heard;
    }

    private List<Handed> fetch(Caller caller) {
        return tryToFetch(caller).orElse(List.of());
    }

    /** Empty if it was not answered well. */
    private Optional<List<Handed>> tryToFetch(Caller caller) {
        byte[] body = WorkerRequests.fetch(queue, 100, worker(), VISIBILITY);
        Heard heard = caller.post("/ojs/v1/workers/fetch", body);
        if (!heard.isOk()) return Optional.empty();
        List<Handed> jobs = new ArrayList<>();
        for (JsonNode job : heard.body().required("jobs"))
            jobs.add(new Handed(
                    job.required("id").stringValue(),
                    job.required("args").required(0).stringValue(),
                    job.required("lease").longValue()));
        if (!jobs.isEmpty()) recorder.add(new Step.Fetched(heard.span(), worker(), VISIBILITY, jobs));
        return Optional.of(jobs);
    }

    private boolean ack(Caller caller, Handed job) {
        byte[] body = WorkerRequests.ack(job.id(), job.lease());
        Heard heard = caller.post("/ojs/v1/workers/ack", body);
        recorder.add(new Step.Acked(heard.span(), worker(), job.id(), job.lease(), heard.answer()));
        return heard.isOk();
    }

    private String worker() {
        return "probe-of-" + queue;
    }
}
