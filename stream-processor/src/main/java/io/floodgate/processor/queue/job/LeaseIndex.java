package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.processor.kernel.WorkerName;
import io.floodgate.processor.queue.state.DeliveryRef;
import io.floodgate.processor.queue.state.IndexEntry;
import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases of workers, oldest first, and the replies in which jobs were handed out without a command about them
 * since.
 */
public final class LeaseIndex {
    private static final class OfWorker {
        private final SortedIds heardOf = new SortedIds();
        private final SortedIds notHeardOf = new SortedIds();
    }

    private final TreeMap<String, OfWorker> byWorker = new TreeMap<>();
    private final Map<String, SortedIds> byRequester = new TreeMap<>();
    private int leases;
    private int deliveryRefs;
    private long names;

    void clear() {
        byWorker.clear();
        byRequester.clear();
        leases = 0;
        deliveryRefs = 0;
        names = 0;
    }

    void add(@Nullable String worker, long since, @Nullable DeliveryRef deliveryRef, JobId job) {
        if (worker != null) {
            OfWorker own = byWorker.get(worker);
            if (own == null) {
                own = new OfWorker();
                byWorker.put(worker, own);
                names += worker.length();
            }
            if ((deliveryRef == null ? own.heardOf : own.notHeardOf).add(since, job)) leases++;
        }
        if (deliveryRef != null) {
            SortedIds own = byRequester.get(deliveryRef.requester());
            if (own == null) {
                own = new SortedIds();
                byRequester.put(deliveryRef.requester(), own);
                names += deliveryRef.requester().length();
            }
            if (own.add(deliveryRef.correlation(), job)) deliveryRefs++;
        }
    }

    void remove(@Nullable String worker, long since, @Nullable DeliveryRef deliveryRef, JobId job) {
        OfWorker leased = worker == null ? null : byWorker.get(worker);
        if (worker != null && leased != null) {
            if ((deliveryRef == null ? leased.heardOf : leased.notHeardOf).remove(since, job)) leases--;
            if (leased.heardOf.isEmpty() && leased.notHeardOf.isEmpty()) {
                byWorker.remove(worker);
                names -= worker.length();
            }
        }
        SortedIds handed = deliveryRef == null ? null : byRequester.get(deliveryRef.requester());
        if (deliveryRef != null && handed != null) {
            if (handed.remove(deliveryRef.correlation(), job)) deliveryRefs--;
            if (handed.isEmpty()) {
                byRequester.remove(deliveryRef.requester());
                names -= deliveryRef.requester().length();
            }
        }
    }

    /**
     * Returns some of the worker's leases that began no later than this: a caller that removes these finds the next.
     *
     * @param skipped as many as its caller has left where they are
     */
    public List<JobId> of(String worker, long until, int skipped, int most) {
        List<JobId> found = new ArrayList<>();
        OfWorker own = byWorker.get(worker);
        if (own == null) return found;
        int[] toSkip = {skipped};
        for (SortedIds ids : List.of(own.notHeardOf, own.heardOf))
            ids.visitFrom(Long.MIN_VALUE, (since, id) -> {
                if (since > until || found.size() >= most) return false;
                if (toSkip[0] > 0) toSkip[0]--;
                else found.add(id);
                return true;
            });
        return found;
    }

    /** Leases of workers with this id, whatever key they show, some of them. */
    public List<JobId> ofAnyNamed(String id, int most) {
        List<JobId> found = of(id, Long.MAX_VALUE, 0, most);
        String from = WorkerName.withAnyKey(id);
        for (String name : byWorker.tailMap(from).keySet()) {
            if (!name.startsWith(from)) break;
            if (WorkerName.id(name).equals(id)) found.addAll(of(name, Long.MAX_VALUE, 0, most - found.size()));
        }
        return found;
    }

    /** Leases of all workers, some of them, by the names of the workers. */
    public List<JobId> some(int most) {
        List<JobId> found = new ArrayList<>();
        for (String worker : byWorker.keySet()) {
            if (found.size() >= most) break;
            found.addAll(of(worker, Long.MAX_VALUE, 0, most - found.size()));
        }
        return found;
    }

    /** Returns the worker's leases of this time or before without a command about them since, oldest first. */
    public List<JobId> notHeardOf(String worker, long until) {
        List<JobId> found = new ArrayList<>();
        OfWorker own = byWorker.get(worker);
        if (own == null) return found;
        own.notHeardOf.visitFrom(Long.MIN_VALUE, (since, id) -> {
            if (since <= until) found.add(id);
            return since <= until;
        });
        return found;
    }

    /** The job as far as it is known here: a search through all leases. */
    @Nullable
    IndexEntry find(JobId job) {
        DeliveryRef deliveryRef = null;
        for (var entry : byRequester.entrySet()) {
            Long correlation = entry.getValue().numberOf(job);
            if (correlation != null) deliveryRef = new DeliveryRef(entry.getKey(), correlation);
        }
        for (var entry : byWorker.entrySet()) {
            Long since = entry.getValue().heardOf.numberOf(job);
            if (since == null) since = entry.getValue().notHeardOf.numberOf(job);
            if (since != null)
                return new IndexEntry(job, null, 0, 0, 0, entry.getKey(), since, deliveryRef, null, null, null, null);
        }
        return deliveryRef == null
                ? null
                : new IndexEntry(job, null, 0, 0, 0, null, 0, deliveryRef, null, null, null, null);
    }

    /** Returns the jobs that were handed out in this reply: never more than a fetch may ask for. */
    public List<JobId> handedOut(DeliveryRef reply) {
        return handedOut(reply.requester(), reply.correlation(), reply.correlation(), Integer.MAX_VALUE);
    }

    /** Returns the jobs that were handed out to this requester. */
    public List<JobId> handedOutTo(String requester, int most) {
        return handedOut(requester, Long.MIN_VALUE, Long.MAX_VALUE, most);
    }

    private List<JobId> handedOut(String requester, long from, long to, int most) {
        List<JobId> found = new ArrayList<>();
        SortedIds own = byRequester.get(requester);
        if (own == null) return found;
        own.visitFrom(from, (correlation, id) -> {
            if (correlation > to || found.size() >= most) return false;
            found.add(id);
            return true;
        });
        return found;
    }

    int leases() {
        return leases;
    }

    int deliveryRefs() {
        return deliveryRefs;
    }

    /** Returns the number of workers and requesters. */
    int holders() {
        return byWorker.size() + byRequester.size();
    }

    /** The length of all their names. */
    long names() {
        return names;
    }
}
