package io.floodgate.gateway.worker;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Heartbeats;
import io.floodgate.topics.client.Heartbeats.Outcome;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.WorkerCommand;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.version.VersionRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Heartbeats in all the forms that workers send them (OJS worker protocol §4). */
record WorkerBeats(
        Partitions partitions,
        PollingWorkers polling,
        Directives directives,
        DeclaredVersions declared,
        boolean testMode) {
    /** Fields of a worker about itself that its registry entry keeps. */
    private static final List<String> ABOUT =
            List.of("hostname", "pid", "queues", "concurrency", "labels", "state", "started_at", "shutdown", "version");

    /** Workers of other systems say more, such as {@code cpu_percent}: heartbeats are liveness, and are not rejected for that. */
    private static final Set<String> KNOWN = known();

    private Heartbeats heartbeats(Call call) {
        return new Heartbeats(partitions.by(call).client(), partitions.patience());
    }

    ApiResponse heartbeat(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json();
        Duration visibility = body.length("visibility_timeout_ms", "visibility_timeout");
        Beat beat = beat(body);
        polling.sentHeartbeat(beat.worker(), System.nanoTime());
        Outcome outcome = heartbeats(call).beat(beat, jobs(body), visibility, namesAll(body));
        noteVersions(call, body);
        directives.changed(beat.worker(), outcome.state());
        String state = known(testMode && outcome.testDirective() != null ? outcome.testDirective() : outcome.state());
        return ApiResponse.ok(JsonOut.object()
                .field("acknowledged", true)
                .field("state", state)
                .field("directive", state.equals("running") ? "continue" : state)
                .field("jobs_extended", outcome.extended())
                .field("lost_jobs", outcome.lost())
                .field("cancelled_jobs", outcome.cancelled())
                .field("server_time", outcome.serverTime())
                .endObject());
    }

    /** A worker announces what it is about to do, such as draining. */
    ApiResponse beat(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json();
        String announced = body.text("state");
        Outcome outcome = heartbeats(call).beat(beat(body), jobs(body), null, false);
        noteVersions(call, body);
        return ApiResponse.ok(JsonOut.object()
                .field("acknowledged", true)
                .field("state", announced == null ? known(outcome.state()) : announced)
                .field("server_time", outcome.serverTime())
                .endObject());
    }

    ApiResponse register(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json();
        Beat beat = beat(body);
        Outcome outcome = heartbeats(call).beat(beat, List.of(), null, false);
        noteVersions(call, body);
        return ApiResponse.ok(JsonOut.object()
                .field("ok", true)
                .field("worker_id", beat.worker())
                .field("server_time", outcome.serverTime())
                .field("heartbeat_interval", 5)
                .field("heartbeat_timeout", 30)
                .field("visibility_timeout_default", 1_800)
                .endObject());
    }

    /** Notes the versions of a worker, which count from now on for fetches without any. */
    private void noteVersions(Call call, RequestFields body) throws RejectedException {
        Map<String, VersionRange> versions = VersionFields.declared(body);
        if (versions != null) declared.declared(call, body.requiredText("worker_id"), versions);
    }

    private static Set<String> known() {
        Set<String> known = new TreeSet<>(ABOUT);
        known.addAll(List.of("worker_id", "active_jobs", "active_job_ids", "job_id", "versions", "handlers"));
        known.addAll(List.of("visibility_timeout_ms", "visibility_timeout"));
        return known;
    }

    private static Beat beat(RequestFields body) throws RejectedException {
        body.spelled(KNOWN);
        body.text("worker_id", Limits.NAME_CHARS);
        String worker = body.requiredText("worker_id");
        // Operators are shown these, and they are looked into.
        body.text("hostname");
        body.texts("queues");
        body.number("concurrency");
        JsonOut about = JsonOut.object();
        for (String name : ABOUT) about.optionalRaw(name, body.raw(name));
        Map<String, VersionRange> versions = VersionFields.declared(body);
        if (versions != null) about.fieldRaw(WorkerCommand.VERSIONS, VersionFields.json(versions));
        if (about.length() > Limits.ABOUT_BYTES)
            throw RequestFields.wrong(
                    "labels",
                    "What a worker says about itself may have at most %d bytes.".formatted(Limits.ABOUT_BYTES));
        return new Beat(worker, about.endObject().toBytes());
    }

    /**
     * Reads the jobs of a heartbeat. Some workers send the ids, some a count and the ids beside it, some one id; idle
     * ones send null.
     */
    private static List<JobId> jobs(RequestFields body) throws RejectedException {
        Set<String> named = new LinkedHashSet<>();
        if (body.isArray("active_jobs")) named.addAll(body.texts("active_jobs"));
        named.addAll(body.texts("active_job_ids"));
        String one = body.text("job_id");
        if (one != null) named.add(one);
        if (named.size() > Limits.JOBS_OF_A_HEARTBEAT)
            throw RequestFields.wrong(
                    "active_jobs", "At most %d jobs can be prolonged at once.".formatted(Limits.JOBS_OF_A_HEARTBEAT));
        List<JobId> jobs = new ArrayList<>();
        // A text that cannot be an id is no job: it is not among those extended.
        for (String id : named) JobId.parse(id).ifPresent(jobs::add);
        return jobs;
    }

    /**
     * Returns whether the worker has named every job that it has: there is a list, and it is as long as the worker says
     * that it is. Of a worker that names one job, nothing is known of the others.
     */
    private static boolean namesAll(RequestFields body) throws RejectedException {
        if (body.isArray("active_jobs")) return true;
        if (!body.has("active_jobs")) return false;
        return body.number("active_jobs").orElse(-1L)
                == body.texts("active_job_ids").size();
    }

    /** Clients take any other word for an order, some of them for good. */
    private static String known(String state) {
        return switch (state) {
            case "quiet", "terminate" -> state;
            default -> "running";
        };
    }
}
