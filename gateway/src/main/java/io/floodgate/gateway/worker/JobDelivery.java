package io.floodgate.gateway.worker;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Demands;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.gateway.job.JobJson;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.gateway.pool.QueueOrder;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.Cancellation;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Fetching;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.TooManyInFlight;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.NearestName;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Hands out jobs and takes in their outcomes (OJS worker protocol §5 and §6). */
final class JobDelivery {
    /** A caller that finds no room to wait asks again after that. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Partitions partitions;
    private final Fetching fetching;
    /** A worker that may not fetch, and asks again as soon as it is answered, is answered after this time. */
    private static final Duration REST = Duration.ofSeconds(1);

    private static final Set<String> OF_ACK = Set.of("job_id", "id", "result", "worker_id", "lease", "attempt");
    private static final Set<String> OF_NACK =
            Set.of("job_id", "id", "error", "requeue", "worker_id", "lease", "attempt");
    private static final Set<String> DECIDING = Set.of("retryable", "rate_limit_until");
    private static final Set<String> OF_ERROR =
            Set.of("type", "code", "message", "retryable", "details", "rate_limit_until");

    private static final byte[] NO_MEMBERS = {'{', '}'};

    private final PollingWorkers polling;
    private final Directives directives;
    private final DeclaredVersions declared;
    private final QueueOrder order;
    private final CapacityCache doors;
    private final BooleanSupplier closing;

    JobDelivery(
            Partitions partitions,
            PollingWorkers polling,
            Directives directives,
            DeclaredVersions declared,
            QueueOrder order,
            CapacityCache doors,
            BooleanSupplier closing) {
        this.partitions = partitions;
        this.polling = polling;
        this.directives = directives;
        this.declared = declared;
        this.order = order;
        this.doors = doors;
        this.closing = closing;
        fetching = new Fetching(partitions.client(), partitions.patience(), closing);
    }

    ApiResponse fetch(Call call) throws CommandFailed, RejectedException {
        String tenant = Tenant.of(call).map(Tenant::id).orElse(null);
        FetchBody asked = call.read(FetchBody.KEPT, sent -> FetchBody.read(RequestFields.of(sent), tenant));
        FetchBody body = asked.in(order.of(call, asked.queues(), asked.order()));
        for (String queue : body.queues()) call.caller().mustUse(queue);
        call.keep(body.memoryOfNames());
        List<byte[]> jobs = fetchIfRoom(call, body);
        int size = jobs.stream().mapToInt(job -> job.length + 64).sum();
        try {
            call.makeRoom(2L * size);
        } catch (RejectedException noRoom) {
            fetching.giveBack(jobs);
            throw noRoom;
        }
        ApiResponse.Whole answer = answer(jobs, size);
        return jobs.isEmpty() ? answer : answer.ifUnwritten(() -> fetching.giveBack(jobs));
    }

    private static ApiResponse.Whole answer(List<byte[]> jobs, int size) {
        JsonOut out = JsonOut.object(size + 16).beginArray("jobs");
        for (byte[] job : jobs) JobJson.forWorker(job, out);
        return ApiResponse.ok(out.endArray().endObject());
    }

    /** Workers do not slow down for a rejection, some give up: a gateway that is full has no job for them, that is all. */
    private List<byte[]> fetchIfRoom(Call call, FetchBody asked) throws CommandFailed, RejectedException {
        try {
            Fetching fetching = this.fetching.by(partitions.by(call).client());
            String worker = asked.worker();
            if (worker != null && !directives.mayFetch(worker)) return nothing(asked.patience());
            FetchBody body =
                    worker == null || asked.namesVersions() ? asked : asked.accepting(declared.of(call, worker));
            Duration wait = body.patience();
            if (worker != null && isByProtocol(call, body)) countAsHeartbeat(call, worker, body);
            if (worker == null || wait != null) return fetch(fetching, body, wait == null ? Duration.ZERO : wait);
            List<byte[]> jobs = fetch(fetching, body, polling.waitOf(worker, System.nanoTime()));
            polling.fetched(worker, jobs.isEmpty(), System.nanoTime());
            return jobs;
        } catch (TooManyInFlight full) {
            return List.of();
        }
    }

    /** A client that says it follows OJS, and chooses neither wait nor lease: as the workers of the SDKs do, it sends heartbeats. */
    private static boolean isByProtocol(Call call, FetchBody body) {
        return body.patience() == null && body.visibility() == null && call.header(Demands.VERSION) != null;
    }

    /** A worker that ends before its first heartbeat must be missed, too (OJS worker protocol §4.1, §10). */
    private void countAsHeartbeat(Call call, String worker, FetchBody body) {
        if (!polling.isDueForSignOfLife(worker, System.nanoTime())) return;
        byte[] about =
                JsonOut.object().field("queues", body.queues()).endObject().toBytes();
        if (about.length > Limits.ABOUT_BYTES) about = NO_MEMBERS;
        // The fetch does not depend on it.
        var unused = partitions.by(call).ofWorker(worker).send(new Beat(worker, about));
    }

    private static List<byte[]> nothing(@Nullable Duration wait) {
        if (wait != null) LockSupport.parkNanos(Math.min(wait.toNanos(), REST.toNanos()));
        return List.of();
    }

    private List<byte[]> fetch(Fetching fetching, FetchBody body, Duration wait)
            throws CommandFailed, RejectedException {
        if (wait.isZero()) return fetching.fetch(body.waiting(wait));
        // A caller that disconnects is withdrawn at once: later jobs go to callers that are still connected.
        Cancellation cancellation = Peer.whenTheCallerLeaves();
        try {
            return fetchUnlessToldNot(fetching, body, wait, cancellation);
        } catch (TooManyInFlight noRoomToWait) {
            return withoutWaiting(fetching, body, wait, cancellation);
        }
    }

    private List<byte[]> fetchUnlessToldNot(Fetching fetching, FetchBody body, Duration wait, Cancellation cancellation)
            throws CommandFailed, RejectedException {
        String worker = body.worker();
        if (worker == null) return fetching.fetch(body.waiting(wait), cancellation);
        directives.begun(worker, cancellation);
        try {
            // A directive may have reached it since it asked.
            if (!directives.mayFetch(worker)) return List.of();
            if (body.patience() != null) return fetching.fetch(body.waiting(wait), cancellation);
            return fetchWhileAlive(fetching, body, worker, wait, cancellation);
        } finally {
            directives.ended(worker, cancellation);
        }
    }

    /** A worker that has not said how long it waits does so while its heartbeats come in time: later it may have stopped. */
    private List<byte[]> fetchWhileAlive(
            Fetching fetching, FetchBody body, String worker, Duration wait, Cancellation cancellation)
            throws CommandFailed, RejectedException {
        long begun = System.nanoTime();
        Duration left = wait;
        while (!left.isZero()) {
            List<byte[]> jobs = fetching.fetch(body.waiting(left), cancellation);
            if (!jobs.isEmpty() || cancellation.isCancelled() || closing.getAsBoolean()) return jobs;
            left = polling.restOfWait(worker, begun, System.nanoTime());
        }
        return List.of();
    }

    /**
     * Fetches without waiting, since there may be jobs all the same. A worker that is answered at once comes back at
     * once, so it is held up a little.
     */
    private static List<byte[]> withoutWaiting(Fetching fetching, FetchBody body, Duration wait, Cancellation leaving)
            throws CommandFailed, RejectedException {
        List<byte[]> jobs = fetching.fetch(body.waiting(Duration.ZERO), leaving);
        if (!jobs.isEmpty() || leaving.isCancelled()) return jobs;
        LockSupport.parkNanos(Math.min(wait.toNanos(), PAUSE.toNanos()));
        return fetching.fetch(body.waiting(Duration.ZERO), leaving);
    }

    ApiResponse ack(Call call) throws CommandFailed, RejectedException {
        RequestFields body = resultOf(call::json);
        return ack(call, job(body), body);
    }

    ApiResponse ackByPath(Call call) throws CommandFailed, RejectedException {
        return ack(call, jobInPath(call), resultOf(call::jsonIfAny));
    }

    @FunctionalInterface
    private interface Body {
        RequestFields read() throws RejectedException;
    }

    /** Reads an acknowledgement; its result is what makes it too large (OJS results §7.2). */
    private static RequestFields resultOf(Body body) throws RejectedException {
        try {
            return body.read();
        } catch (RejectedException rejected) {
            if (rejected.rejection().code() != ErrorCode.ENVELOPE_TOO_LARGE) throw rejected;
            throw new RejectedException(Rejection.of(
                            ErrorCode.RESULT_TOO_LARGE,
                            "The result is too large: a request to acknowledge a job has at most %d bytes."
                                    .formatted(Route.MODERATE))
                    .with("max_bytes", Route.MODERATE));
        }
    }

    private ApiResponse ack(Call call, JobId job, RequestFields body) throws CommandFailed, RejectedException {
        JobAnswer acked = ask(call, new Ack(job, claimant(body.spelled(OF_ACK)), body.raw("result")));
        JsonOut out = JsonOut.object(acked.job().length + 512).field("acknowledged", true);
        return answer(acked, job, out);
    }

    ApiResponse nack(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json();
        return nack(call, job(body), body);
    }

    ApiResponse nackByPath(Call call) throws CommandFailed, RejectedException {
        return nack(call, jobInPath(call), call.json());
    }

    private ApiResponse nack(Call call, JobId job, RequestFields body) throws CommandFailed, RejectedException {
        boolean requeue = body.spelled(OF_NACK).flag("requeue");
        JsonNode error = body.tree("error");
        if (error == null ? !requeue : !error.isObject())
            throw RequestFields.wrong("error", "The 'error' field must say in an object how the job failed.");
        if (error != null) decides(body.object("error"));
        JobAnswer nacked = ask(call, new Nack(job, claimant(body), ErrorReport.read(error), requeue));
        return answer(nacked, job, JsonOut.object(nacked.job().length + 1_024));
    }

    /** Checks the fields of an error that decide something; all others are only shown. */
    private static void decides(RequestFields error) throws RejectedException {
        for (String name : error.names())
            if (NearestName.misspelled(name, DECIDING).isPresent()) throw error.unknown(name, OF_ERROR);
    }

    /** Readers look for the outcome beside the job, under {@code id} or {@code job_id}, or inside it. */
    private static ApiResponse answer(JobAnswer view, JobId job, JsonOut out) {
        out.field("job_id", job.toString());
        view.flattenTo(out, true).name("job");
        return ApiResponse.ok(view.writeTo(out).endObject());
    }

    private JobAnswer ask(Call call, JobCommand command) throws CommandFailed, RejectedException {
        return JobAnswer.ask(partitions, call, command).tell(doors);
    }

    private static Claimant claimant(RequestFields body) throws RejectedException {
        String worker = body.text("worker_id", Limits.NAME_CHARS);
        Long lease = body.number("lease").orElse(null);
        Long attempt = body.number("attempt").orElse(null);
        return worker == null && lease == null && attempt == null
                ? Claimant.UNNAMED
                : new Claimant(worker, lease, attempt);
    }

    private static JobId job(RequestFields body) throws RejectedException {
        return parse(body.requiredText("job_id", "id"));
    }

    private static JobId jobInPath(Call call) throws RejectedException {
        return parse(call.parameter("id"));
    }

    private static JobId parse(String text) throws RejectedException {
        return JobId.parse(text).orElseThrow(() -> new RejectedException(Rejection.notFound("job", Limits.echo(text))));
    }
}
