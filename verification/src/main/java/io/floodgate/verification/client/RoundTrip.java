package io.floodgate.verification.client;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.fetchFor;
import static io.floodgate.verification.client.RequestBodies.json;

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
        List<Handed> jobs = tryToFetch(caller).orElse(List.of());
        jobs.forEach(job -> ack(caller, job));
        return !jobs.isEmpty();
    }

    /**
     * Whether a fetch and the acks of what it brought were answered well. Another caller that asks at the same queue may have
     * taken the job: then there is nothing to ack.
     */
    boolean isWorkedOff(Caller caller) {
        Optional<List<Handed>> jobs = tryToFetch(caller);
        if (jobs.isEmpty()) return false;
        boolean acked = true;
        for (Handed job : jobs.get()) acked &= ack(caller, job);
        return acked;
    }

    Heard enqueue(Caller caller) {
        String token = "%s/%d/%d".formatted(queue, ProcessHandle.current().pid(), NUMBER.getAndIncrement());
        Heard heard =
                caller.post(JOBS, json("{'type':'crash.probe','args':['%s'],'options':{'queue':'%s'}}", token, queue));
        String id = heard.isOk() ? heard.body().at("/job/id").stringValue() : null;
        recorder.add(new Step.Enqueued(heard.span(), token, id, null, heard.answer()));
        return heard;
    }

    /** Empty if it was not answered well. */
    private Optional<List<Handed>> tryToFetch(Caller caller) {
        Heard heard = caller.post(FETCH, fetchFor(VISIBILITY.toMillis(), queue, worker(), 100));
        if (!heard.isOk()) return Optional.empty();
        List<Handed> jobs = new ArrayList<>();
        for (JsonNode job : heard.body().required("jobs")) jobs.add(Handed.of(job));
        if (!jobs.isEmpty()) recorder.add(new Step.Fetched(heard.span(), worker(), VISIBILITY, jobs));
        return Optional.of(jobs);
    }

    private boolean ack(Caller caller, Handed job) {
        Heard heard = caller.post(ACK, RequestBodies.ack(job.id(), job.lease()));
        recorder.add(new Step.Acked(heard.span(), worker(), job.id(), job.lease(), heard.answer()));
        return heard.isOk();
    }

    private String worker() {
        return "probe-of-" + queue;
    }
}
