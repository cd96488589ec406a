package io.floodgate.gateway.webhook;

import io.floodgate.gateway.admin.JobPages;
import io.floodgate.gateway.admin.JobQuery;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.gateway.job.JobOperations;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.webhook.Deliveries;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** {@code /ojs/v1/webhooks/deliveries}, and deliveries that try whether a subscriber answers (OJS webhooks §6.6 and §10). */
final class DeliveryOperations {
    private static final Duration LONGER = Duration.ofSeconds(3);
    private static final Map<String, Set<JobState>> STATES = Map.of(
            "pending", EnumSet.of(JobState.AVAILABLE, JobState.ACTIVE, JobState.SCHEDULED, JobState.PENDING),
            "retrying", EnumSet.of(JobState.RETRYABLE),
            "delivered", EnumSet.of(JobState.COMPLETED),
            "dead", EnumSet.of(JobState.DISCARDED),
            "cancelled", EnumSet.of(JobState.CANCELLED));

    private final Partitions partitions;
    private final SubscriptionOperations subscriptions;
    private final JobPages pages;
    private final JobOperations jobs;
    private final Ids ids;
    private final Clock clock;

    DeliveryOperations(
            Partitions partitions, SubscriptionOperations subscriptions, JobOperations jobs, Ids ids, Clock clock) {
        this.partitions = partitions;
        this.subscriptions = subscriptions;
        this.jobs = jobs;
        this.ids = ids;
        this.clock = clock;
        pages = new JobPages(partitions);
    }

    /** Lists the newest first; those of one subscription, or of all. */
    ApiResponse list(Call call) throws CommandFailed, RejectedException {
        String subscription = call.query("subscription_id").orElse(null);
        if (subscription != null) subscriptions.find(call, subscription);
        else if (call.caller().identity() != null && call.caller().identity().isConfined())
            throw RequestFields.wrong("subscription_id", "Name one of your subscriptions with 'subscription_id'.");
        String status = call.query("status").orElse(null);
        Set<JobState> states = status == null ? Set.of() : STATES.get(status);
        if (states == null)
            throw RequestFields.wrong(
                    "status",
                    "The query parameter 'status' must be one of "
                            + String.join(
                                    ", ", STATES.keySet().stream().sorted().toList()) + ".");
        JobFilter filter = JobFilter.of()
                .inQueue(subscription == null ? null : Deliveries.queue(subscription))
                .inStates(states)
                .ofType(Deliveries.DELIVER);
        Paging paging = Paging.besideCursor(call);
        String cursor = Paging.ownCursor(call).orElse(null);
        JobId after = cursor == null ? null : JobId.parse(cursor).orElseThrow(Paging::wrongCursor);
        int skip = after == null ? paging.offset() : 0;
        JobPages.Page page = pages.find(call, new JobQuery(filter, false, after), skip, paging.limit());
        JsonOut items = new JsonOut(8_192).beginArray();
        for (JobAnswer job : whole(call, page.jobs()))
            view(job.job(), job.errorHistory(), items.beginObject()).endObject();
        long seen = skip + (long) page.jobs().size();
        return ApiResponse.ok(
                paging.page("deliveries", items.endArray(), seen + (page.next() == null ? 0 : 1), page.next()));
    }

    /** Lists have neither what a job is about nor its errors. */
    private List<JobAnswer> whole(Call call, List<byte[]> listed) throws CommandFailed, RejectedException {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (byte[] job : listed) {
            JobId id = MemberWalk.text(job, "id").flatMap(JobId::parse).orElseThrow();
            replies.add(partitions.from(call).ofJob(id).send(new GetJob(id)));
        }
        List<JobAnswer> jobs = new ArrayList<>();
        for (CompletableFuture<Reply> reply : replies) {
            // One that was deleted meanwhile is left out.
            if (Replies.await(reply) instanceof Reply.Done done) jobs.add(JobAnswer.of(done));
        }
        for (JobAnswer job : jobs) call.makeRoom(2L * job.job().length);
        return jobs;
    }

    ApiResponse get(Call call) throws CommandFailed, RejectedException {
        return shown(find(call));
    }

    ApiResponse retry(Call call) throws CommandFailed, RejectedException {
        find(call);
        return shown(JobAnswer.ask(partitions, call, new RetryJob(id(call))));
    }

    private static ApiResponse shown(JobAnswer job) {
        JsonOut out = view(job.job(), job.errorHistory(), JsonOut.object(4_096));
        return ApiResponse.ok(view(job.job(), job.errorHistory(), out.beginObject("delivery"))
                .endObject()
                .endObject());
    }

    private JobAnswer find(Call call) throws CommandFailed, RejectedException {
        JobAnswer job = JobAnswer.ask(partitions, call, new GetJob(id(call)));
        String queue = MemberWalk.text(job.job(), "queue").orElse("");
        if (!Deliveries.isQueue(queue)) throw notFound(call);
        subscriptions.find(call, Deliveries.subscriptionOf(queue));
        return job;
    }

    private static JobId id(Call call) throws RejectedException {
        String text = call.parameter("id");
        String id = text.startsWith(Deliveries.ID) ? text.substring(Deliveries.ID.length()) : text;
        return JobId.parse(id).orElseThrow(() -> notFound(call));
    }

    private static RejectedException notFound(Call call) {
        return new RejectedException(Rejection.notFound("delivery", Limits.echo(call.parameter("id"))));
    }

    private static JsonOut view(byte[] job, byte[] failedAttempts, JsonOut out) {
        String status = "";
        MemberWalk members = new MemberWalk(job);
        while (members.next()) {
            if (members.nameIs("id")) out.field("id", Deliveries.ID + members.text());
            else if (members.nameIs("state")) status = status(members.text());
            else if (members.nameIs("queue")) out.field("subscription_id", Deliveries.subscriptionOf(members.text()));
            else if (members.nameIs("meta") && members.isObject()) {
                MemberWalk meta = members.inside();
                while (meta.next()) if (meta.nameIs("event_id") || meta.nameIs("event_type")) meta.copyTo(out);
            } else if (members.nameIs("attempt")
                    || members.nameIs("max_attempts")
                    || members.nameIs("created_at")
                    || members.nameIs("completed_at")
                    || members.nameIs("scheduled_at")
                    || members.nameIs("error")
                    || members.nameIs("result")) members.copyTo(out);
        }
        return out.field("status", status).fieldRaw("failed_attempts", failedAttempts);
    }

    private static String status(String state) {
        for (Map.Entry<String, Set<JobState>> each : STATES.entrySet())
            for (JobState of : each.getValue()) if (of.wire().equals(state)) return each.getKey();
        return state;
    }

    /** Puts a delivery of a {@code webhook.test} in, and waits for what comes of it. */
    ApiResponse test(Call call) throws CommandFailed, RejectedException {
        Subscription subscription = subscriptions.find(call).subscription();
        if (!subscription.isActive())
            throw new RejectedException(
                    Rejection.of(ErrorCode.CONFLICT, "The subscription is paused: activate it, and then test it."));
        JobId id = ids.job(Deliveries.queue(subscription.id()));
        String eventId = "evt_" + id;
        byte[] event = JsonOut.object()
                .field("specversion", "1.0")
                .field("id", eventId)
                .field("type", Deliveries.TEST)
                .field("source", "ojs://floodgate/webhooks")
                .field("time", Timestamps.format(clock.instant()))
                .field("subject", subscription.id())
                .field("datacontenttype", "application/json")
                .beginObject("data")
                .field("subscription_id", subscription.id())
                .endObject()
                .endObject()
                .toBytes();
        byte[] job = Deliveries.job(subscription, id, eventId, Deliveries.TEST, event);
        new Partitions(partitions.client().by(Deliveries.BY), partitions.patience())
                .ofQueue(Deliveries.queue(subscription.id()))
                .ask(new Enqueue(job, true));
        Duration wait = subscription.target().timeout().plus(LONGER);
        JobAnswer ended = jobs.awaitEnd(call, id, wait);
        MemberWalk members = new MemberWalk(ended.job());
        while (members.next()) if (members.nameIs("result")) return ApiResponse.ok(new JsonOut().raw(members.raw()));
        return ApiResponse.ok(JsonOut.object()
                .field("success", false)
                .field(
                        "error",
                        "The test was not delivered within %d s: no process has taken it, or it was ended."
                                .formatted(wait.toSeconds()))
                .field("delivery_id", Deliveries.ID + id)
                .endObject());
    }
}
