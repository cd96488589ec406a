package io.floodgate.processor.queue;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.Stores;
import java.util.ArrayList;
import java.util.List;

/** Forgets everything about queues, a slice at a time: whoever waits is told so first, and a queue outlives its jobs. */
final class Clearing {
    private final Stores stores;
    private final Keys keys;
    private final Queues queues;
    private final Jobs jobs;
    private final Announcements announcements;
    private final Waiting waiting;

    Clearing(Stores stores, Keys keys, Queues queues, Jobs jobs, Announcements announcements, Waiting waiting) {
        this.stores = stores;
        this.keys = keys;
        this.queues = queues;
        this.jobs = jobs;
        this.announcements = announcements;
        this.waiting = waiting;
    }

    /** Forgets up to so many of each kind; true once nothing is left. */
    boolean clear(int most) {
        boolean alone = waiting.giveUp(most) && announcements.forget(most);
        boolean idle = clearJobs(keys.allLive(), most) & clearJobs(keys.allTerminal(), most);
        boolean unindexed = clearIndex(keys.pruneFrom(0), keys.pruneFrom(Long.MAX_VALUE), most);
        if (!alone || !idle || !unindexed) return false;
        List<Queue> some = queues.all().stream().limit(most).toList();
        some.forEach(queues::forget);
        return some.size() < most;
    }

    private boolean clearJobs(byte[] prefix, int most) {
        List<byte[]> some = first(stores.jobs(), prefix, Keys.after(prefix), most);
        for (byte[] key : some) {
            Job job = jobs.findHeld(Keys.jobAtEnd(key));
            if (job != null) jobs.forget(job);
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
