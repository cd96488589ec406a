package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.WorkerName;
import io.floodgate.processor.queue.bound.Producers;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.RecentFetches;
import io.floodgate.processor.queue.wait.WaitQueue;
import io.floodgate.processor.queue.wait.Waiter;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Facts about clients that wait at a queue: fetches for jobs, producers for capacity; and the last fetches. */
public record FactsOfWaiting(Waiters waiters, Producers producers) {
    void write(Queue queue, Instant now, JsonOut json) {
        fetches(queue.fetches, now, json);
        WaitQueue line = waiters.at(queue.name);
        json.beginObject("waiting_fetches").field("count", line == null ? 0 : line.size());
        json.beginArray("first");
        if (line != null) {
            int left = QueueFacts.MAX_SHOWN;
            for (boolean watch : new boolean[] {false, true})
                for (long number : line.firstOnes(watch, left)) {
                    Waiter waiter = waiters.find(number);
                    if (waiter == null) continue;
                    show(waiter, json);
                    left--;
                }
        }
        json.endArray().endObject();
        json.beginObject("waiting_producers").field("count", producers.at(queue.name));
        producers.showFirst(queue.name, QueueFacts.MAX_SHOWN, json.beginArray("first"));
        json.endArray().endObject();
    }

    private static void show(Waiter waiter, JsonOut json) {
        json.beginObject();
        worker(waiter.fetch().worker(), json);
        types(waiter.fetch().types(), json);
        json.field("until", waiter.until()).endObject();
    }

    private static void fetches(@Nullable RecentFetches fetches, Instant now, JsonOut json) {
        if (fetches == null) return;
        json.optional("last_reached_at", fetches.reachedAt())
                .field("fetched_lately", fetches.isRecent(now))
                .field("passed_over", fetches.isPassedOver(now));
        json.beginArray("fetched_types");
        for (RecentFetches.Wanted wanted : fetches.wanted()) {
            json.beginObject();
            worker(wanted.worker(), json);
            types(wanted.types(), json);
            json.field("at", wanted.at()).endObject();
        }
        json.endArray();
    }

    private static void worker(@Nullable String name, JsonOut json) {
        json.optional("worker_id", name == null ? null : WorkerName.id(name));
    }

    private static void types(WantedJobs types, JsonOut json) {
        if (!types.nameNone()) json.field(types.excluded() ? "exclude_types" : "types", types.names());
        if (types.nameTenants()) json.field("tenants", types.tenants());
        if (types.versions().isEmpty()) return;
        List<String> shown = new ArrayList<>();
        types.versions().forEach((type, range) -> shown.add("%s %s".formatted(type, range)));
        json.field("accept_versions", shown);
    }
}
