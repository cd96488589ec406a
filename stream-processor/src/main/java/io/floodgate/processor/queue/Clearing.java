package io.floodgate.processor.queue;

import io.floodgate.processor.queue.JobChange.Dropped;
import io.floodgate.processor.queue.QueueChange.Abandoned;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.Stores;
import java.util.ArrayList;
import java.util.List;

/** A reset: removes everything, a slice at a time. Whoever waits is told so first, and a queue outlives its jobs. */
final class Clearing {
    private final Stores stores;
    private final Keys keys;
    private final Queues queues;
    private final Jobs jobs;
    private final LeaseRegistrations registrations;
    private final Waiters waiters;
    private final Serving serving;

    Clearing(
            Stores stores,
            Keys keys,
            Queues queues,
            Jobs jobs,
            LeaseRegistrations registrations,
            Waiters waiters,
            Serving serving) {
        this.stores = stores;
        this.keys = keys;
        this.queues = queues;
        this.jobs = jobs;
        this.registrations = registrations;
        this.waiters = waiters;
        this.serving = serving;
    }

    /** Removes up to so many of each kind; true once nothing is left. */
    boolean clear(int most) {
        waiters.all().stream().limit(most).forEach(waiters::sendAway);
        boolean isDone = waiters.size() == 0;
        isDone &= registrations.forget(most);
        isDone &= clearJobs(keys.allLive(), most);
        isDone &= clearJobs(keys.allTerminal(), most);
        isDone &= clearIndex(keys.pruneFrom(0), keys.pruneFrom(Long.MAX_VALUE), most);
        if (!isDone) return false;
        serving.clear();
        List<Queue> some = queues.all().stream().limit(most).toList();
        for (Queue queue : some) queues.apply(new Abandoned(), queue);
        return some.size() < most;
    }

    private boolean clearJobs(byte[] prefix, int most) {
        List<byte[]> some = first(stores.jobs(), prefix, Keys.after(prefix), most);
        for (byte[] key : some) {
            Job job = jobs.findReserved(Keys.jobAtEnd(key));
            if (job != null) jobs.apply(new Dropped(), job);
        }
        return some.size() < most;
    }

    private boolean clearIndex(byte[] from, byte[] to, int most) {
        List<byte[]> some = first(stores.jobs(), from, to, most);
        some.forEach(stores.jobs()::delete);
        return some.size() < most;
    }

    private static List<byte[]> first(KeyValues store, byte[] from, byte[] to, int most) {
        List<byte[]> some = new ArrayList<>();
        store.scan(from, to, (key, value) -> {
            some.add(key);
            return some.size() < most;
        });
        return some;
    }
}
