package io.floodgate.gateway.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.ErrorAnswers;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes CloudEvents where jobs are enqueued, and makes a job of each (OJS CloudEvents interop §8 to §10). An event always
 * gets the same id of a job: sent again, it is found instead of stored.
 */
public final class EventTriggers {
    private static final String STRUCTURED = "application/cloudevents+json";
    private static final String BATCH = "application/cloudevents-batch+json";
    private static final String OJS = "application/openjobspec+json";
    private static final String OF_EVENTS = "org.openjobspec.";
    private static final String OF_TRIGGERS = OF_EVENTS + "trigger.";
    private static final String JOB_TYPE = "job_type";
    private static final String QUEUE = "queue";
    private static final int MOST_EVENTS = 100;

    private final Enqueues enqueues;
    private final Partitions partitions;

    public EventTriggers(Enqueues enqueues, Partitions partitions) {
        this.enqueues = enqueues;
        this.partitions = partitions;
    }

    /** Enqueues a job, or what an event or a batch of them asks for. */
    public ApiResponse enqueue(Call call) throws CommandFailed, RejectedException, UnreadableJob {
        if (call.hasMediaType(BATCH)) return batch(call);
        Map<String, String> headers = call.headers("ce-");
        if (call.hasMediaType(STRUCTURED))
            return store(
                    call,
                    call.read(
                            STRUCTURED,
                            body -> job(call, CloudEvent.structured(body).sameAs(headers))));
        boolean isBinary =
                !call.hasMediaType(OJS) && CloudEvent.REQUIRED.stream().anyMatch(headers::containsKey);
        if (isBinary) return store(call, binary(call, headers));
        for (String query : List.of(QUEUE, JOB_TYPE))
            if (call.query(query).isPresent())
                throw RequestFields.wrong(
                        query, "The parameter '%s' is for CloudEvents; a job names its own.".formatted(query));
        return enqueues.one(call);
    }

    private static Envelope binary(Call call, Map<String, String> headers) throws RejectedException, UnreadableJob {
        String type = call.header(HeaderNames.CONTENT_TYPE);
        CloudEvent.mustBeJson(type);
        Call.Reading<Envelope, UnreadableJob> reading = body -> job(call, CloudEvent.binary(headers, type, body));
        return type == null ? call.read(reading) : call.read(type, reading);
    }

    private static Envelope job(Call call, CloudEvent event) throws RejectedException, UnreadableJob {
        Optional<String> named = call.query(JOB_TYPE);
        String type = named.isPresent() ? named.get() : typeOf(event);
        String queue = call.query(QUEUE).orElse(EnvelopeReader.DEFAULT_QUEUE);
        JsonOut key = new JsonOut().beginArray().value(event.get("source")).value(event.get("id"));
        Tenant.of(call).ifPresent(tenant -> key.value(tenant.id()));
        JobId id = Ids.always(queue, key.value(type).endArray().toBytes());
        return JobOrigin.of(call).read(event.job(id.toString(), type, queue));
    }

    private static String typeOf(CloudEvent event) throws RejectedException {
        String type = event.get(CloudEvent.TYPE);
        if (type.startsWith(OF_TRIGGERS)) return type.substring(OF_TRIGGERS.length());
        // What this server has published comes back by mistake: a job for each of its events would never end.
        if (type.startsWith(OF_EVENTS) || !EnvelopeReader.isType(type))
            throw new RejectedException(Rejection.of(
                            ErrorCode.INVALID_JOB_TYPE,
                            "The type of the event, '%s', is not taken for that of a job; name one: ?job_type=email.send"
                                    .formatted(Limits.echo(type)))
                    .with("field", CloudEvent.TYPE));
        return type;
    }

    /** A broker that sends an event again has to be answered that all is well: so a duplicate is none here. */
    private ApiResponse.Whole store(Call call, Envelope job) throws CommandFailed, RejectedException {
        try {
            return enqueues.store(call, job);
        } catch (RejectedException rejected) {
            JobId id = job.id();
            if (id == null || rejected.rejection().code() != ErrorCode.DUPLICATE) throw rejected;
            return new Deduplicated(id, "unknown").answer(call, partitions);
        }
    }

    /**
     * Each event by itself: one that cannot become a job keeps no other from it. If there is no capacity, the answer says so for the
     * whole batch, which is to be sent again.
     */
    private ApiResponse batch(Call call) throws CommandFailed, RejectedException {
        List<byte[]> events = call.read(BATCH, EventTriggers::events);
        JsonOut out = new JsonOut().beginArray();
        Rejection first = null;
        int stored = 0;
        int failed = 0;
        for (int i = 0; i < events.size(); i++) {
            out.beginObject().field("index", i);
            Rejection rejection;
            try {
                Envelope job = job(call, CloudEvent.structured(events.get(i)));
                ApiResponse.Whole answer = store(call, job);
                if (answer.status().code() >= 400) return answer;
                boolean isNew = answer.status().equals(Status.CREATED_201);
                if (isNew) stored++;
                out.field("job_id", String.valueOf(job.id()))
                        .field("deduplicated", !isNew)
                        .endObject();
                continue;
            } catch (RejectedException rejected) {
                rejection = rejected.rejection();
                if (rejection.code().retryable()) throw rejected;
            } catch (UnreadableJob unreadable) {
                rejection = unreadable.rejection();
            }
            failed++;
            if (first == null) first = rejection;
            ErrorAnswers.error(rejection, call.requestId(), out);
            out.endObject();
        }
        byte[] all = out.endArray().toBytes();
        if (first != null && failed == events.size())
            return ErrorAnswers.answer(
                    first.withMessage("No event of the batch became a job. The first one: " + first.message())
                            .withJson("events", new String(all, UTF_8)),
                    call.requestId());
        JsonOut answer = JsonOut.object(all.length + 128)
                .fieldRaw("events", all)
                .field("count", events.size())
                .field("enqueued", stored)
                .field("failed", failed);
        return ApiResponse.json(stored > 0 ? Status.CREATED_201 : Status.OK_200, answer.endObject());
    }

    private static List<byte[]> events(byte[] body) throws RejectedException {
        List<byte[]> events;
        try {
            events = Members.elements(body);
        } catch (MalformedJson malformed) {
            throw RequestFields.invalid(malformed);
        }
        if (events.isEmpty()) throw RequestFields.wrong("events", "The batch must hold at least one event.");
        if (events.size() > MOST_EVENTS)
            throw new RejectedException(Rejection.of(
                            ErrorCode.BATCH_SIZE_EXCEEDED, "A batch may have at most %d events.".formatted(MOST_EVENTS))
                    .with("max_batch_size", MOST_EVENTS));
        return events;
    }
}
