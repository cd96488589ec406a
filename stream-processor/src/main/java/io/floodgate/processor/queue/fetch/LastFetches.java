package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.RecentFetches;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.WantedJobs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last fetches from queues, with their types: a job may not run because no worker asks for it. */
public record LastFetches(KeyValues entities, Queues queues, Undo undo, Effects out) implements Entity {
    @Override
    public void load() {
        byte[] prefix = Keys.allFetched();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            Queue queue = queues.find(Keys.nameAtEnd(key));
            if (queue != null) put(queue, RecentFetches.STORED.read(value));
            return true;
        });
    }

    /** @param worker its name, with that of its key */
    void note(List<String> names, WantedJobs types, @Nullable String worker) {
        for (String name : names) {
            Queue queue = queues.find(name);
            if (queue != null) note(queue, types, worker);
        }
    }

    private void note(Queue queue, WantedJobs types, @Nullable String worker) {
        note(queue, RecentFetches.asked(queue.fetches, types, worker, out.now()));
    }

    /** A fetch has come as far as this queue. One that waited may have come before the queue. */
    void reached(Queue queue, Fetch fetch) {
        note(queue, fetch.types(), fetch.worker());
        note(queue, RecentFetches.reached(queue.fetches, out.now()));
    }

    private void note(Queue queue, @Nullable RecentFetches now) {
        if (now == null) return;
        RecentFetches before = queue.fetches;
        // Lists of queues show it where jobs wait.
        if (queue.counts.of(JobState.AVAILABLE) > 0
                && (before == null || !before.at().equals(now.at()))) queues.changed(queue);
        undo.by(() -> put(queue, before));
        put(queue, now);
        entities.put(Keys.fetched(queue.name), RecentFetches.STORED.write(now));
    }

    private void put(Queue queue, @Nullable RecentFetches fetches) {
        queue.fetches = fetches;
        queues.countMemory(queue);
    }
}
