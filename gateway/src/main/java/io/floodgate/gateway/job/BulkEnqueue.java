package io.floodgate.gateway.job;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.ErrorAnswers;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Members;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Many jobs, of which each comes in by itself or all do, with an answer for each (OJS bulk operations §5). With an idempotency
 * key, each job has an id that follows from it: a request that is sent again finds its jobs.
 */
public final class BulkEnqueue {
    private static final String ATOMICITY = "atomicity";
    private static final String KEY = "idempotency_key";
    private static final HeaderName KEY_HEADER = HeaderNames.create("Idempotency-Key");
    private static final int MOST_KEY_CHARS = 256;

    private final Enqueues enqueues;
    private final Ids ids;

    public BulkEnqueue(Enqueues enqueues, Ids ids) {
        this.enqueues = enqueues;
        this.ids = ids;
    }

    /** What was sent, and what has become of it: a job, or why not. */
    private static final class Item {
        private @Nullable Envelope sent;
        private byte @Nullable [] job;
        private byte @Nullable [] error;
        private boolean isDuplicate;

        private boolean isOpen() {
            return sent != null && job == null && error == null;
        }
    }

    private record Sent(boolean isAtomic, @Nullable String key, List<byte[]> jobs) {}

    public ApiResponse enqueue(Call call) throws CommandFailed, RejectedException {
        Sent sent = call.read(body -> read(call, body));
        List<Item> items = new ArrayList<>();
        JobOrigin origin = JobOrigin.of(call);
        for (byte[] job : sent.jobs) items.add(item(call, origin, job, sent.key, items.size()));
        for (Item item : items) if (item.sent != null) call.caller().mustUse(item.sent.queue());
        boolean isRejected = items.stream().anyMatch(item -> item.error != null);
        if (!sent.isAtomic || !isRejected) together(call, items, sent.isAtomic);
        if (!sent.isAtomic) for (Item item : items) if (item.isOpen()) alone(call, item, sent.key != null);
        for (Item item : items)
            if (item.isOpen())
                fail(
                        call,
                        item,
                        Rejection.of(ErrorCode.INVALID_REQUEST, "It was not stored, since another job was rejected."));
        return answer(items);
    }

    private static Sent read(Call call, byte[] body) throws RejectedException {
        RequestFields fields = RequestFields.of(body).only(Set.of("jobs", ATOMICITY, KEY));
        String atomicity = Objects.requireNonNullElse(fields.text(ATOMICITY), "partial");
        if (!atomicity.equals("partial") && !atomicity.equals("atomic"))
            throw fields.fault(ATOMICITY, "The '%s' field must be partial or atomic.");
        String inHeader = call.header(KEY_HEADER);
        String key = inHeader == null ? fields.text(KEY, MOST_KEY_CHARS) : inHeader;
        if (key != null && key.length() > MOST_KEY_CHARS)
            throw RequestFields.wrong(
                    KEY, "The idempotency key must have at most %d characters.".formatted(MOST_KEY_CHARS));
        return new Sent(atomicity.equals("atomic"), key, BatchBody.sent(body));
    }

    private static Item item(Call call, JobOrigin origin, byte[] job, @Nullable String key, int index) {
        Item item = new Item();
        try {
            Envelope read = origin.read(job);
            item.sent = key == null || read.id() != null ? read : read.withId(id(call, read.queue(), key, index));
        } catch (UnreadableJob unreadable) {
            fail(call, item, unreadable.rejection());
        } catch (RejectedException rejected) {
            fail(call, item, rejected.rejection());
        }
        return item;
    }

    private static JobId id(Call call, String queue, String key, int index) throws RejectedException {
        JsonOut all = new JsonOut().beginArray().value(key).value(index);
        Tenant.of(call).ifPresent(tenant -> all.value(tenant.id()));
        return Ids.always(queue, all.endArray().toBytes());
    }

    private static void fail(Call call, Item item, Rejection rejection) {
        JsonOut out = new JsonOut().beginObject();
        ErrorAnswers.error(rejection, call.requestId(), out);
        item.error = MemberWalk.raw(out.endObject().toBytes(), "error");
    }

    /** Mostly all can be stored, by one command. */
    private void together(Call call, List<Item> items, boolean isAtomic) throws CommandFailed, RejectedException {
        List<Item> open = items.stream().filter(Item::isOpen).toList();
        if (open.isEmpty()) return;
        ApiResponse.Whole answer;
        try {
            List<Envelope> jobs =
                    open.stream().map(item -> Objects.requireNonNull(item.sent)).toList();
            answer = enqueues.storeAll(call, BatchBody.of(jobs, ids));
        } catch (RejectedException rejected) {
            if (isAtomic) open.forEach(item -> fail(call, item, rejected.rejection()));
            return;
        }
        if (answer.status().code() >= 400) {
            byte[] error = MemberWalk.raw(answer.body(), "error");
            if (isAtomic) open.forEach(item -> item.error = error);
            return;
        }
        List<byte[]> stored = stored(answer);
        for (int i = 0; i < open.size(); i++) {
            open.get(i).job = stored.get(i);
            open.get(i).isDuplicate = MemberWalk.raw(stored.get(i), "deduplicated") != null;
        }
    }

    /** The jobs as the answer has them, digit by digit. */
    private static List<byte[]> stored(ApiResponse.Whole answer) {
        try {
            return Members.elements(Objects.requireNonNull(MemberWalk.raw(answer.body(), "jobs")));
        } catch (MalformedJson impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** @param hasKey what is there under its id was stored by the same request, when it was sent before */
    private void alone(Call call, Item item, boolean hasKey) throws CommandFailed {
        Envelope sent = Objects.requireNonNull(item.sent);
        try {
            ApiResponse.Whole answer = enqueues.store(call, sent);
            if (answer.status().code() < 400) item.job = MemberWalk.raw(answer.body(), "job");
            else item.error = MemberWalk.raw(answer.body(), "error");
            item.isDuplicate = answer.status().equals(Status.OK_200);
        } catch (RejectedException rejected) {
            boolean isThere = hasKey && rejected.rejection().code() == ErrorCode.DUPLICATE && sent.id() != null;
            if (!isThere) fail(call, item, rejected.rejection());
            else
                item.job = JsonOut.object()
                        .field("id", String.valueOf(sent.id()))
                        .field("type", sent.type())
                        .field("queue", sent.queue())
                        .endObject()
                        .toBytes();
        }
    }

    private static ApiResponse answer(List<Item> items) {
        long failed = items.stream().filter(item -> item.error != null).count();
        JsonOut out = JsonOut.object(items.size() * 256)
                .field("total", items.size())
                .field("succeeded", items.size() - failed)
                .field("failed", failed)
                .beginArray("items");
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            String status = item.error != null ? "failed" : item.isDuplicate ? "duplicate" : "created";
            out.beginObject().field("index", i).field("status", status);
            if (item.error != null) out.fieldRaw("error", item.error);
            if (item.job != null) out.fieldRaw("job", item.job);
            out.endObject();
        }
        boolean isNew = items.stream().anyMatch(item -> item.job != null && !item.isDuplicate);
        Status status = failed == items.size()
                ? Status.UNPROCESSABLE_CONTENT_422
                : failed > 0 ? Status.MULTI_STATUS_207 : isNew ? Status.CREATED_201 : Status.OK_200;
        return ApiResponse.json(status, out.endArray().endObject())
                .with(HeaderValues.create("X-OJS-Batch-Size", String.valueOf(items.size())));
    }
}
