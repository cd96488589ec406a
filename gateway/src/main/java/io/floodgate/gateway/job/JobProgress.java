package io.floodgate.gateway.job;

import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.event.EventStreams;
import io.floodgate.gateway.event.JobWatches;
import io.floodgate.gateway.event.ServerSentEvents;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The progress of jobs: workers report it, and callers read it, once or as a stream (OJS progress §10).
 *
 * @param closing whether readers should be sent away, for the gateway is about to stop
 */
public record JobProgress(Partitions partitions, EventLog events, EventStreams streams, BooleanSupplier closing) {
    /** A report, with all it may say. */
    public static final int MAX_BODY = 64 * 1024;

    private static final Set<String> KNOWN = Set.of(
            "job_id",
            "id",
            "progress",
            "percentage",
            "percent",
            "message",
            "data",
            "checkpoint",
            "worker_id",
            "lease",
            "attempt");

    private static final byte[] NULL = {'n', 'u', 'l', 'l'};
    private static final Header NO_CACHE = HeaderValues.createCached(HeaderNames.CACHE_CONTROL, "no-cache");
    /** Interval at which a stream looks at the job, in case its event is late or lost. */
    private static final Duration PROBE = Duration.ofSeconds(5);

    public ApiResponse report(Call call) throws CommandFailed, RejectedException {
        return report(call, JobOperations.id(call), call.json());
    }

    /** Reports progress as the workers of SDKs send it. */
    public ApiResponse reportByWorker(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json();
        String text = body.requiredText("job_id", "id");
        JobId id = JobId.parse(text)
                .orElseThrow(() -> new RejectedException(Rejection.notFound("job", Limits.echo(text))));
        return report(call, id, body);
    }

    /** A report must not make the work fail: one that comes too late is not accepted, and no error (OJS progress §6.1). */
    private ApiResponse report(Call call, JobId id, RequestFields body) throws CommandFailed, RejectedException {
        body.spelled(KNOWN);
        Claimant claimant = new Claimant(
                body.text("worker_id", Limits.NAME_CHARS),
                body.number("lease").orElse(null),
                body.number("attempt").orElse(null));
        try {
            return shown(ask(call, new Progress(id, claimant, said(body))));
        } catch (RejectedException rejected) {
            if (rejected.rejection().code() != ErrorCode.CONFLICT) throw rejected;
            return ApiResponse.ok(JsonOut.object()
                    .field("job_id", id.toString())
                    .field("accepted", false)
                    .field("reason", rejected.rejection().message())
                    .endObject());
        }
    }

    private static ProgressReport said(RequestFields body) throws RejectedException {
        Double share = number("progress", body);
        Double percent = number("percentage", body);
        if (percent == null) percent = number("percent", body);
        if (share == null && percent != null) share = percent / 100;
        ProgressReport report = new ProgressReport(
                share, body.text("message", ProgressReport.MESSAGE_CHARS), object("data", body), checkpoint(body));
        if (report.saysNothing())
            throw RequestFields.wrong(
                    "progress", "One of 'progress', 'percentage', 'message', 'data' and 'checkpoint' must be there.");
        return report;
    }

    private static @Nullable Double number(String name, RequestFields body) throws RejectedException {
        JsonNode value = body.tree(name);
        if (value == null) return null;
        double number = value.isNumber() ? value.doubleValue(Double.NaN) : Double.NaN;
        if (!Double.isFinite(number)) throw body.fault(name, "The '%s' field must be a number.");
        return number;
    }

    private static byte @Nullable [] checkpoint(RequestFields body) throws RejectedException {
        byte[] state = object("checkpoint", body);
        return state == null ? null : ProgressReport.withState(state);
    }

    private static byte @Nullable [] object(String name, RequestFields body) throws RejectedException {
        if (!body.has(name)) return null;
        JsonNode value = body.tree(name);
        byte[] raw = body.raw(name);
        if (raw == null || value == null || !value.isObject())
            throw body.fault(name, "The '%s' field must be an object.");
        if (raw.length > ProgressReport.MAX_BYTES)
            throw RequestFields.wrong(
                    name,
                    "The '%s' field has %d bytes; at most %d are accepted."
                            .formatted(name, raw.length, ProgressReport.MAX_BYTES));
        return raw;
    }

    public ApiResponse show(Call call) throws CommandFailed, RejectedException {
        return shown(look(call, JobOperations.id(call)));
    }

    private static ApiResponse shown(ProgressView view) {
        ApiResponse.Whole answer =
                ApiResponse.ok(view.write(JsonOut.object()).endObject()).with(NO_CACHE);
        String share = view.share();
        return share.isEmpty() ? answer : answer.with(HeaderValues.create("X-OJS-Progress", share));
    }

    /** Streams the changes, until the job has ended. */
    public ApiResponse stream(Call call) throws CommandFailed, RejectedException {
        ProgressView first = look(call, JobOperations.id(call));
        return streams.open(
                call,
                reader -> follow(call, first, reader, JobProgress::sendEnd),
                "GET /ojs/v1/jobs/%s/progress".formatted(first.job()));
    }

    /** The same, and at its end the result, or the error (OJS results §8.3). */
    public ApiResponse streamOfResult(Call call) throws CommandFailed, RejectedException {
        ProgressView first = look(call, JobOperations.id(call));
        return streams.open(
                call,
                reader -> follow(call, first, reader, (end, to) -> sendOutcome(call, end, to)),
                "GET /ojs/v1/jobs/%s/result".formatted(first.job()));
    }

    @FunctionalInterface
    private interface Ending {
        void send(ProgressView end, ServerSentEvents reader) throws IOException, CommandFailed, RejectedException;
    }

    private static void sendEnd(ProgressView end, ServerSentEvents reader) throws IOException {
        send(end.end(), end, reader);
    }

    private void sendOutcome(Call call, ProgressView end, ServerSentEvents reader)
            throws IOException, CommandFailed, RejectedException {
        JobOutcome outcome = JobOutcome.of(JobAnswer.ask(partitions, call, new GetJob(end.job())));
        byte[] error = outcome.error();
        boolean hasFailed = !outcome.state().equals("completed");
        byte[] value = hasFailed ? error : outcome.result();
        reader.send(
                hasFailed ? "error" : "result",
                null,
                JsonOut.object()
                        .field("job_id", end.job().toString())
                        .field("state", outcome.state())
                        .fieldRaw(hasFailed ? "error" : "value", value == null ? NULL : value)
                        .endObject());
    }

    private void follow(Call call, ProgressView first, ServerSentEvents reader, Ending ending)
            throws IOException, InterruptedException {
        ProgressView now = first;
        String told = "";
        while (call.caller().isKnown()) {
            if (!now.at().equals(told) && !now.hasEnded()) send("progress", now, reader);
            told = now.at();
            if (now.hasEnded()) end(now, reader, ending);
            if (now.hasEnded() || closing.getAsBoolean() || reader.hasLeft()) return;
            // Watched before the partition is asked, or what happens in between would not be heard.
            try (JobWatches.Watch watch = events.watch(first.job().toString())) {
                ProgressView next = look(call, first.job());
                if (next.at().equals(told) && !next.hasEnded()) await(watch, reader);
                else now = next;
            } catch (CommandFailed unreachable) {
                reader.keepAlive();
            } catch (RejectedException gone) {
                return;
            }
        }
    }

    private static void end(ProgressView now, ServerSentEvents reader, Ending ending) throws IOException {
        try {
            ending.send(now, reader);
        } catch (CommandFailed | RejectedException gone) {
            sendEnd(now, reader);
        }
    }

    private static void await(JobWatches.Watch watch, ServerSentEvents reader)
            throws IOException, InterruptedException {
        try {
            watch.happened().get(PROBE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            reader.keepAlive();
        }
    }

    private static void send(String type, ProgressView view, ServerSentEvents reader) throws IOException {
        reader.send(type, null, view.write(JsonOut.object()).endObject());
    }

    private ProgressView look(Call call, JobId id) throws CommandFailed, RejectedException {
        JobAnswer job = JobAnswer.ask(partitions, call, new GetJob(id));
        Tenant.mustOwn(call, job);
        return ProgressView.of(id, job.job());
    }

    private ProgressView ask(Call call, JobCommand command) throws CommandFailed, RejectedException {
        return ProgressView.of(
                command.job(), partitions.by(call).ofJob(command.job()).askLine(command));
    }
}
