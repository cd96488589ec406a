package io.floodgate.gateway.http;

import io.floodgate.topics.client.CommandCircuitOpen;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.client.TooManyInFlight;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rejections and failures as HTTP answers (OJS HTTP binding §16, OJS errors §4). */
public final class ErrorAnswers {
    private static final String DOCS = "https://openjobspec.org/errors/";
    /**
     * Advice after a bound was hit, when a moment is enough; a processor that does not answer takes longer to return.
     */
    private static final Header RETRY_SOON = HeaderValues.createCached(HeaderNames.RETRY_AFTER, "1");

    /** Advice when requests under way end by themselves. */
    private static final Header RETRY_WHEN_EMPTIER = HeaderValues.createCached(HeaderNames.RETRY_AFTER, "5");

    private static final Header RETRY_LATER = HeaderValues.createCached(HeaderNames.RETRY_AFTER, "2");

    private static final Header BEARER =
            HeaderValues.createCached(HeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"floodgate\"");

    private ErrorAnswers() {}

    public static Status status(ErrorCode code) {
        return switch (code) {
            case INVALID_PAYLOAD,
                    INVALID_REQUEST,
                    INVALID_JOB_TYPE,
                    INVALID_QUEUE,
                    INVALID_ARGS,
                    INVALID_VERSION_RANGE,
                    INVALID_WORKFLOW,
                    SCHEMA_VALIDATION -> Status.BAD_REQUEST_400;
            case UNAUTHENTICATED -> Status.UNAUTHORIZED_401;
            case PERMISSION_DENIED -> Status.FORBIDDEN_403;
            case NOT_FOUND, QUEUE_NOT_FOUND -> Status.NOT_FOUND_404;
            case METHOD_NOT_ALLOWED -> Status.METHOD_NOT_ALLOWED_405;
            case REQUEST_TIMEOUT -> Status.REQUEST_TIMEOUT_408;
            case DUPLICATE, CONFLICT -> Status.CONFLICT_409;
            case ENVELOPE_TOO_LARGE, METADATA_TOO_LARGE, RESULT_TOO_LARGE, BATCH_SIZE_EXCEEDED ->
                Status.REQUEST_ENTITY_TOO_LARGE_413;
            case RESULT_PRUNED -> Status.GONE_410;
            case INVALID_RETRY_POLICY, JOB_TYPE_NOT_ALLOWED, QUEUE_DRAINING, UNSUPPORTED, EXTENSION_NOT_SUPPORTED ->
                Status.UNPROCESSABLE_CONTENT_422;
            case INTERNAL_ERROR -> Status.INTERNAL_SERVER_ERROR_500;
            case QUEUE_FULL,
                    BATCH_EXCEEDS_BOUND,
                    TENANT_LIMIT_EXCEEDED,
                    RATE_LIMITED,
                    TOO_MANY_QUEUES,
                    TOO_MANY_WORKFLOWS,
                    TOO_MANY_SIGNALS -> Status.TOO_MANY_REQUESTS_429;
            case BACKEND_UNAVAILABLE, MEMORY_FULL -> Status.SERVICE_UNAVAILABLE_503;
        };
    }

    /** Returns what the caller can do about the error. */
    private static String hint(ErrorCode code) {
        return switch (code) {
            case INVALID_PAYLOAD -> "Send one JSON object in UTF-8.";
            case INVALID_REQUEST -> "Correct the field that error.details names, and send the request again.";
            case INVALID_JOB_TYPE -> "Use dot-separated lower-case words, such as email.send.";
            case INVALID_QUEUE -> "Use lower-case letters, digits, hyphens and dots.";
            case INVALID_ARGS -> "Put the arguments of the job into a JSON array.";
            case INVALID_VERSION_RANGE ->
                "Use a range such as \">=1.0 <2.0\", \"2.x\", \"2.1\" or \"*\", or a list of them.";
            case SCHEMA_VALIDATION ->
                "Correct the arguments that error.details names, or enqueue the job with the version that has this schema.";
            case INVALID_RETRY_POLICY -> "Correct the retry policy, or leave it out to get the default.";
            case ENVELOPE_TOO_LARGE -> "Store large data elsewhere and pass a reference in args.";
            case METADATA_TOO_LARGE -> "Keep meta small; it is copied with every hand-over of the job.";
            case RESULT_TOO_LARGE -> "Store the result elsewhere, and acknowledge the job with a reference to it.";
            case RESULT_PRUNED -> "Read results sooner, or enqueue the jobs with a longer result_ttl.";
            case BATCH_SIZE_EXCEEDED -> "Split the batch.";
            case JOB_TYPE_NOT_ALLOWED ->
                "Send the job to another queue, or allow its type: PUT /ojs/v1/admin/queues/{name}/config.";
            case UNAUTHENTICATED -> "Ask the server's operator for a key: ./floodgate keys add makes one.";
            case PERMISSION_DENIED ->
                "This server's operator decides who may; see ./floodgate keys, --allowed-hosts, --cors-origins and the 'producers' of the queue.";
            case NOT_FOUND -> "Check the id or the path; finished jobs are removed once their retention has passed.";
            case QUEUE_NOT_FOUND ->
                "Correct the queue's name, or have an operator create it: POST /ojs/v1/queues with {\"name\": …}.";
            case QUEUE_DRAINING ->
                "Use another queue, or wait until this one is gone: GET /ojs/v1/queues/{name} says how far it is.";
            case METHOD_NOT_ALLOWED -> "The Allow header lists the methods of this path.";
            case DUPLICATE -> "The job is already there; error.details.existing_job_id names it.";
            case CONFLICT -> "Look at the job's current state; it does not allow this operation.";
            case UNSUPPORTED -> "GET /ojs/manifest says what this server supports.";
            case EXTENSION_NOT_SUPPORTED -> "GET /ojs/manifest lists the extensions of this server.";
            case REQUEST_TIMEOUT -> "Send the whole request without long pauses.";
            case INTERNAL_ERROR -> "This is a fault of the server; report it with the request id.";
            case QUEUE_FULL ->
                "Wait as Retry-After says, add workers, or raise the bound: PUT /ojs/v1/admin/queues/{name}/config.";
            case TENANT_LIMIT_EXCEEDED ->
                "Wait as Retry-After says, or raise the tenant's limit: PUT /ojs/v1/admin/tenants/{id}.";
            case BATCH_EXCEEDS_BOUND -> "Split the batch, or raise the bound: PUT /ojs/v1/admin/queues/{name}/config.";
            case RATE_LIMITED -> "Wait as Retry-After says.";
            case TOO_MANY_QUEUES -> "Use fewer queue names, or wait until unused ones are forgotten.";
            case INVALID_WORKFLOW -> "Correct what error.details.validation_errors names, and send the workflow again.";
            case TOO_MANY_SIGNALS -> "Have signals kept for less time, and send the request again later.";
            case TOO_MANY_WORKFLOWS -> "Wait until workflows have ended, and send the request again.";
            case MEMORY_FULL -> "Wait until workers have finished some of the jobs, and send the request again.";
            case BACKEND_UNAVAILABLE -> "Wait as Retry-After says and send the request again, jobs with the same id.";
        };
    }

    public static ApiResponse.Whole answer(Rejection rejection, String requestId) {
        return switch (rejection.code()) {
            case UNAUTHENTICATED ->
                answer(Status.UNAUTHORIZED_401, rejection, requestId).with(BEARER);
            case QUEUE_FULL, BATCH_EXCEEDS_BOUND, TENANT_LIMIT_EXCEEDED -> QueueFullAnswer.of(rejection, requestId);
            default -> answer(status(rejection.code()), rejection, requestId);
        };
    }

    static ApiResponse.Whole answer(Status status, Rejection rejection, String requestId) {
        // Only an outcome makes a 503 a definite no, and a rejection is one.
        Rejection definite = status.equals(Status.SERVICE_UNAVAILABLE_503)
                        && rejection.details().stream()
                                .noneMatch(detail -> detail.name().equals("outcome"))
                ? rejection.with("outcome", "not_executed")
                : rejection;
        ApiResponse.Whole answer =
                new ApiResponse.Whole(status, ApiResponse.JSON, body(definite, requestId), List.of(), () -> {});
        return rejection.code().retryable() && rejection.code() != ErrorCode.REQUEST_TIMEOUT
                ? answer.with(retryAfter(rejection))
                : answer;
    }

    private static Header retryAfter(Rejection rejection) {
        return rejection.details().stream()
                .filter(detail -> detail.name().equals("retry_after_seconds"))
                .map(detail -> HeaderValues.create(HeaderNames.RETRY_AFTER, detail.json()))
                .findFirst()
                .orElse(RETRY_SOON);
    }

    /** The rest of an open circuit, in whole seconds and not too early. */
    private static Header retryAfter(CommandFailed failure) {
        return switch (failure) {
            case CommandCircuitOpen open ->
                HeaderValues.create(
                        HeaderNames.RETRY_AFTER,
                        Long.toString(
                                Math.max(1, open.rest().plusNanos(999_999_999).toSeconds())));
            case TooManyInFlight full -> RETRY_WHEN_EMPTIER;
            case CommandNotSent notSent -> RETRY_SOON;
            case NoReply noReply -> RETRY_LATER;
        };
    }

    /** Returns the answer when the partition has not answered, with what that means for the caller. */
    public static ApiResponse.Whole answer(CommandFailed failure, String requestId, Rejection.Detail... details) {
        Rejection rejection = switch (failure) {
            case CommandNotSent notSent ->
                unavailable("The request was not executed: %s.".formatted(reason(notSent)))
                        .with("outcome", "not_executed")
                        .with("cause", cause(notSent));
            case NoReply noReply ->
                unavailable(("There was no answer in time (%s), so the outcome is unknown: the request may have"
                                        + " been, or may yet be, executed. Send it again with the same id.")
                                .formatted(reason(noReply)))
                        .with("outcome", "unknown");
        };
        List<Rejection.Detail> all = new ArrayList<>(rejection.details());
        all.addAll(List.of(details));
        byte[] body = body(new Rejection(rejection.code(), rejection.message(), all), requestId);
        return new ApiResponse.Whole(
                Status.SERVICE_UNAVAILABLE_503, ApiResponse.JSON, body, List.of(retryAfter(failure)), () -> {});
    }

    private static String cause(CommandNotSent failure) {
        return switch (failure) {
            case CommandCircuitOpen open -> "circuit";
            case TooManyInFlight full -> "in_flight";
            default -> "not_sent";
        };
    }

    /** Returns the message as a sentence; some are sentences already. */
    private static String reason(CommandFailed failure) {
        String message = String.valueOf(failure.getMessage());
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }

    private static Rejection unavailable(String message) {
        return Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, message);
    }

    static byte[] body(Rejection rejection, String requestId) {
        JsonOut out = JsonOut.object(768);
        error(rejection, requestId, out);
        return out.endObject().toBytes();
    }

    /** {@code error}, as a member of the object being written. */
    public static void error(Rejection rejection, String requestId, JsonOut out) {
        ErrorCode code = rejection.code();
        String docs = DOCS + code.canonical();
        out.beginObject("error")
                .field("code", code.wire())
                .field("canonical_code", code.canonical())
                .field("ojs_code", code.catalogued());
        if (code == ErrorCode.INVALID_RETRY_POLICY) out.field("type", "validation_error");
        out.field("message", rejection.message()).field("retryable", code.retryable());
        Set<String> beside = beside(code);
        for (Rejection.Detail detail : rejection.details()) if (beside.contains(detail.name())) write(detail, out);
        out.beginObject("details");
        for (Rejection.Detail detail : rejection.details()) write(detail, out);
        out.endObject()
                .field("hint", hint(code))
                .field("docs_url", docs)
                .field("doc_url", docs)
                .field("request_id", requestId)
                .endObject();
    }

    /** The details that clients look for beside the code. */
    private static Set<String> beside(ErrorCode code) {
        return switch (code) {
            case BATCH_SIZE_EXCEEDED -> Set.of("max_batch_size");
            case QUEUE_FULL, BATCH_EXCEEDS_BOUND, TENANT_LIMIT_EXCEEDED ->
                Set.of("queue", "depth", "bound", "strategy", "tenant_id", "limit", "current", "maximum");
            default -> Set.of();
        };
    }

    private static void write(Rejection.Detail detail, JsonOut out) {
        out.fieldRaw(detail.name(), detail.json().getBytes(StandardCharsets.UTF_8));
    }
}
