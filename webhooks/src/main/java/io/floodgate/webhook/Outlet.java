package io.floodgate.webhook;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.webhook.Deliveries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts deliveries into the queues of subscriptions, in the order of the events. The id of a delivery is that of its event and
 * subscription: an event that is read again comes in once.
 */
final class Outlet {
    private static final Logger LOG = LoggerFactory.getLogger(Outlet.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_AT_ONCE = 100;
    private static final int BYTES_AT_ONCE = 1024 * 1024;
    /** A job has at most 1 MiB. */
    private static final int MOST_EVENT_BYTES = 1_000 * 1024;

    private final CommandClient client;

    Outlet(CommandClient client) {
        this.client = client.by(Deliveries.BY);
    }

    /** Returns once all deliveries are in. If it fails, some may be in: they are to be put in again. */
    void put(Map<Subscription, List<OjsEvent>> wanted) throws CommandFailed {
        if (wanted.isEmpty()) return;
        List<Future<?>> ends = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            wanted.forEach((subscription, events) -> ends.add(threads.submit(() -> {
                put(subscription, events);
                return null;
            })));
        }
        for (Future<?> end : ends) await(end);
    }

    private static void await(Future<?> end) throws CommandFailed {
        try {
            end.get();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CommandFailed failed) throw failed;
            throw new IllegalStateException(e.getCause());
        }
    }

    private void put(Subscription subscription, List<OjsEvent> events) throws CommandFailed {
        List<byte[]> jobs = new ArrayList<>();
        int bytes = 0;
        for (OjsEvent event : events) {
            byte[] job = job(subscription, event);
            if (jobs.size() == MOST_AT_ONCE || (bytes + job.length > BYTES_AT_ONCE && !jobs.isEmpty())) {
                send(subscription, jobs);
                jobs.clear();
                bytes = 0;
            }
            jobs.add(job);
            bytes += job.length;
        }
        if (!jobs.isEmpty()) send(subscription, jobs);
    }

    private static byte[] job(Subscription subscription, OjsEvent event) {
        long millis = Timestamps.parse(event.time()).map(Instant::toEpochMilli).orElse(0L);
        JobId id = Deliveries.id(subscription, event.id(), millis);
        byte[] json = event.json().length <= MOST_EVENT_BYTES ? event.json() : withoutResult(event.json());
        return Deliveries.job(subscription, id, event.id(), event.type(), json);
    }

    /** Too large for a job: the subscriber can ask for the result. */
    private static byte[] withoutResult(byte[] event) {
        JsonOut out = JsonOut.object(2_048);
        MemberWalk members = new MemberWalk(event);
        while (members.next()) {
            if (!members.nameIs("data") || !members.isObject()) {
                members.copyTo(out);
                continue;
            }
            out.beginObject("data");
            MemberWalk data = members.inside();
            while (data.next()) if (data.raw().length < 16 * 1024) data.copyTo(out);
            out.field("truncated", true).endObject();
        }
        return out.endObject().toBytes();
    }

    private void send(Subscription subscription, List<byte[]> jobs) throws CommandFailed {
        Reply reply = ask(subscription, jobs);
        if (!(reply instanceof Reply.Rejected rejected)) return;
        if (jobs.size() > 1) {
            // All or none came in: some may be there already.
            for (byte[] job : jobs) send(subscription, List.of(job));
            return;
        }
        if (rejected.rejection().code() != ErrorCode.DUPLICATE)
            LOG.warn(
                    "An event cannot be delivered to {}: {}",
                    subscription.id(),
                    rejected.rejection().message());
    }

    private Reply ask(Subscription subscription, List<byte[]> jobs) throws CommandFailed {
        String queue = Deliveries.queue(subscription.id());
        return client.call(partition(queue), queue, new EnqueueBatch(jobs, false, Duration.ZERO), PATIENCE);
    }

    private PartitionId partition(String queue) {
        return client.routing().ofQueue(queue);
    }

    /** Returns whether more than half of the queue is free. */
    boolean hasRoom(Subscription subscription) throws CommandFailed {
        String queue = Deliveries.queue(subscription.id());
        try {
            byte[] status = Replies.lines(client.call(partition(queue), queue, new GetQueue(queue), PATIENCE))
                    .getFirst();
            return Json.tree(status).path("depth").longValue(0) < Deliveries.MOST_WAITING / 2;
        } catch (RejectedException gone) {
            return true;
        }
    }
}
