package io.floodgate.processor.queue.lifecycle;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.fetch.Serving;
import io.floodgate.processor.queue.fetch.Waiting;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.LeaseRegistrations;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.JobChange.Erased;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.QueueChange.Abandoned;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forgets everything about queues, a slice at a time: waiting callers are answered first, queues go last. */
public record Clearing(
        Stores stores,
        Queues queues,
        Jobs jobs,
        LeaseRegistrations registrations,
        Waiting waiting,
        Serving serving,
        TenantCounting tenants,
        Effects out)
        implements Entity {
    /** Forgets up to {@code most} of each kind; true once nothing is left. */
    @Override
    public boolean clear(int most) {
        boolean isDone = waiting.sendAway(most);
        isDone &= registrations.forget(most);
        isDone &= clearJobs(Keys.allLive(), most);
        isDone &= clearJobs(Keys.allTerminal(), most);
        isDone &= clearIndex(Keys.pruneFrom(0), Keys.pruneFrom(Long.MAX_VALUE), most);
        if (!isDone) return false;
        serving.clear();
        List<Queue> some = queues.all().stream().limit(most).toList();
        for (Queue queue : some) {
            tenants.end(queue);
            queues.apply(new Abandoned(), queue);
        }
        return some.size() < most;
    }

    private boolean clearJobs(byte[] prefix, int most) {
        List<byte[]> some = first(stores.jobs(), prefix, Keys.after(prefix), most);
        for (byte[] key : some) {
            JobId id = Keys.jobAtEnd(key);
            JobRecord job = jobs.orders().isAside(id) ? null : find(id);
            if (job == null) jobs.erase(id);
            else jobs.apply(new Erased(), job);
        }
        return some.size() < most;
    }

    private @Nullable JobRecord find(JobId id) {
        out.about(Quarantine.JOB, id);
        return jobs.findReserved(id);
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
