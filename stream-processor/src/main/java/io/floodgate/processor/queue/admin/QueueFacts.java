package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.fetch.Maintenance;
import io.floodgate.processor.queue.lifecycle.QueueReplies;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.SubQueue;
import io.floodgate.processor.queue.state.SubQueues;
import io.floodgate.processor.queue.state.Throughput;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Held;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * The answer to {@code explain-queue}: all facts that the partition has about a queue. It judges nothing, since the
 * gateway explains. It looks at a bounded number of jobs, since all other commands wait meanwhile.
 */
public record QueueFacts(
        Queues queues,
        QueueReplies replies,
        Maintenance maintenance,
        FactsOfWaiting waiting,
        FactsOfJobs jobs,
        Effects out) {
    /** Entries in a list; the rest is counted. */
    static final int MAX_SHOWN = 10;

    /** Keys of rate limits that are looked at. */
    private static final int MAX_SUB_QUEUES = 1_000;

    public void show(String name) {
        Queue queue = queues.imagine(name);
        JsonOut json = JsonOut.object(4_096).members(replies.complete(queue));
        json.field("as_of", out.now()).field("partition", out.log().toString());
        maintenance.write(json);
        Held held = queue.held(out.now());
        if (held != null) {
            held.write(json.beginObject("held"));
            json.endObject();
        }
        Throughput.Recent recent = queue.recent(out.now());
        json.beginObject("recent")
                .field("completed", recent.completed())
                .field("failed", recent.failed())
                .field("dropped", recent.dropped())
                .field("window_seconds", recent.seconds())
                .endObject();
        waiting.write(queue, out.now(), json);
        limits(queue, json);
        jobs.write(queue, json);
        out.reply(json.endObject());
    }

    private record Limited(String key, Held held, long jobs) {
        Limited and(Limited more) {
            return new Limited(key, held, jobs + more.jobs);
        }
    }

    /** The keys that hold jobs of the queue back, those with the most jobs first. */
    private static void limits(Queue queue, JsonOut json) {
        SubQueues subQueues = queue.ready().subQueues();
        TreeMap<String, Limited> byKey = new TreeMap<>();
        List<SubQueue> some =
                subQueues == null ? List.of() : subQueues.first(PermitAccount.PermitState.OUT, MAX_SUB_QUEUES);
        for (SubQueue subQueue : some) {
            Held held = subQueue.account.heldIn(queue.name);
            if (held == null) continue;
            byKey.merge(
                    subQueue.account.key, new Limited(subQueue.account.key, held, subQueue.jobs.size()), Limited::and);
        }
        json.beginObject("limited")
                .field("count", byKey.size())
                .field("jobs", byKey.values().stream().mapToLong(Limited::jobs).sum())
                .field("is_sample", some.size() == MAX_SUB_QUEUES)
                .beginArray("first");
        byKey.values().stream()
                .sorted(Comparator.comparingLong(Limited::jobs).reversed())
                .limit(MAX_SHOWN)
                .forEach(limited -> {
                    json.beginObject().field("key", limited.key());
                    limited.held().write(json);
                    json.field("jobs", limited.jobs()).endObject();
                });
        json.endArray().endObject();
    }
}
