package io.floodgate.gateway.capacity;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.Overflow;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One queue as this gateway knows it: the newest report of its capacity, from any source, and whether its partition
 * rejects at present.
 */
final class CachedCapacity {
    static final String NO_TENANT = "";

    /** Time after a rejection by the partition for which the gateway rejects more without asking it. */
    static final Duration STANDS = Duration.ofMillis(250);

    /** Meanwhile one goes through so often. Others may free room, and this is how long that can stay unknown here. */
    static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(50);

    /** Most tenants that were rejected, and most types that may come in, that are kept. */
    private static final int MOST_KEPT = 1_000;

    private final AtomicReference<Known> known;
    private final AtomicLong askedAt = new AtomicLong();
    /** The last rejection of each amount: how long to wait for room depends on it. */
    private final Map<Amount, Rejected> rejected = new ConcurrentHashMap<>();

    private volatile @Nullable Long rejectedAt;
    private volatile AdmissionGates gates = AdmissionGates.UNKNOWN;
    /** Producers and types that were rejected for want of capacity alone, and when. */
    private final Map<Visitor, Long> mayEnter = new ConcurrentHashMap<>();

    private final Map<TenantAmount, TenantRejection> byTenant = new ConcurrentHashMap<>();
    /**
     * Rejections that are not reported to the partition yet: by tenant, {@link #NO_TENANT} for the bound of the whole
     * queue.
     */
    private final Map<String, Unreported> unreported = new ConcurrentHashMap<>();

    CachedCapacity(QueueCapacity room) {
        known = new AtomicReference<>(new Known(room));
    }

    /** The capacity that a demand needs, in powers of two; no bytes where they are not bounded. */
    private record Amount(int jobs, int bytes) {
        static Amount of(Demand demand, QueueCapacity room) {
            return new Amount(digits(demand.jobs()), room.config().sizeBound() > 0 ? digits(demand.bytes()) : 0);
        }

        private static int digits(long number) {
            return Long.SIZE - Long.numberOfLeadingZeros(number);
        }
    }

    /** The capacity that a tenant needs; {@link #ANY} for its last rejection, whatever it needed. */
    private record TenantAmount(String tenant, int jobs) {
        static final int ANY = 0;

        static TenantAmount of(String tenant, Demand demand) {
            return new TenantAmount(tenant, Amount.digits(demand.tenants().getOrDefault(tenant, 0L)));
        }
    }

    private record Visitor(@Nullable String producer, String type) {}

    /** Rejected here: how many jobs, and the type of the last. */
    private static final class Unreported {
        private final AtomicLong jobs = new AtomicLong();
        private volatile String lastType = "";
    }

    /** The known capacity, less what was let through since it was reported. */
    private static final class Known {
        private final QueueCapacity room;
        private long jobs;
        private long bytes;

        Known(QueueCapacity room) {
            this.room = room;
        }

        /** Lets it through, unless there is no room. */
        Dimension take(Demand demand) {
            if (room.over(demand, 0, 0) != Dimension.NONE) return room.over(demand, 0, 0);
            synchronized (this) {
                Dimension over = room.over(demand, jobs, bytes);
                if (over != Dimension.NONE) return over;
                jobs += demand.jobs();
                if (room.config().sizeBound() > 0) bytes += demand.bytes();
                return Dimension.NONE;
            }
        }
    }

    /** A rejection by the partition, and when it came. */
    private static final class Rejected {
        private final Rejection rejection;
        private final QueueCapacity room;
        private final String dimension;
        private final long at;
        private volatile @Nullable Told told;

        Rejected(Rejection rejection, QueueCapacity room, String dimension, long at) {
            this.rejection = rejection;
            this.room = room;
            this.dimension = dimension;
            this.at = at;
        }
    }

    /** The rejection that others get, as long as nothing newer is known. */
    private record Told(Known known, Rejection rejection) {}

    void heard(QueueCapacity room) {
        Known old = known.get();
        while (room.isNewerThan(old.room) && !known.compareAndSet(old, new Known(room))) old = known.get();
    }

    void heard(AdmissionGates newest) {
        gates = newest;
    }

    boolean hasRoom(Demand demand) {
        return known.get().room.over(demand, 0, 0) == Dimension.NONE;
    }

    boolean blocks() {
        return known.get().room.config().overflow() == Overflow.BLOCK;
    }

    /** Forgets rejections, since the policy of all queues has changed. */
    void forgetRejections() {
        rejected.clear();
        rejectedAt = null;
        byTenant.clear();
    }

    /** @param demand that has found no room, and nothing else in its way; null if it is not known here */
    void rejected(Rejection rejection, QueueLoad load, QueueCapacity room, @Nullable Demand demand, long now) {
        heard(room);
        hasEntered(demand, now);
        // It may drop others at any time: what is rejected now says nothing of what comes next.
        if (room.config().overflow() == Overflow.DROP_OLDEST) return;
        askedAt.set(now);
        rejectedAt = now;
        if (demand == null) return;
        rejected.put(
                Amount.of(demand, room),
                new Rejected(rejection, room, load.text("dimension").orElse(""), now));
    }

    /** The same because of what one tenant may have of the queue. */
    void rejectedTenant(String tenant, Rejection rejection, QueueLoad load, @Nullable Demand demand, long now) {
        hasEntered(demand, now);
        if (load.text("strategy").equals(Optional.of(Overflow.DROP_OLDEST.wire()))) return;
        if (byTenant.size() >= MOST_KEPT) byTenant.clear();
        TenantRejection last = new TenantRejection(rejection, load, now);
        byTenant.put(new TenantAmount(tenant, TenantAmount.ANY), last);
        if (demand != null) byTenant.put(TenantAmount.of(tenant, demand), last);
    }

    private void hasEntered(@Nullable Demand demand, long now) {
        if (demand == null || !gates.restricted()) return;
        if (mayEnter.size() >= MOST_KEPT) mayEnter.clear();
        for (String type : demand.types()) mayEnter.put(visitor(demand, type), now);
    }

    boolean rejectsAt(long now) {
        Long last = rejectedAt;
        return last != null && now - last <= STANDS.toNanos();
    }

    /** Judges a demand. Jobs that are let through count against the capacity that is left. */
    CapacityVerdict judge(Demand demand, long now) {
        Known newest = known.get();
        Overflow strategy = newest.room.config().overflow();
        boolean waits = strategy == Overflow.BLOCK && demand.from().waits();
        if (strategy == Overflow.DROP_OLDEST || waits) return CapacityVerdict.WRITE;
        Dimension over = newest.take(demand);
        if (over == Dimension.NONE) return judgeTenants(demand, newest, now);
        Rejected last = rejected.get(Amount.of(demand, newest.room));
        boolean isLikeLast = last != null
                && now - last.at <= STANDS.toNanos()
                // Other bounds, other words.
                && newest.room.judgesLike(last.room)
                && over.is(last.dimension)
                && !newest.room.canNeverTake(demand);
        return last != null && isLikeLast && isCertain(demand, now) && !isQuestion(now)
                ? CapacityVerdict.reject(told(newest, last))
                : ask(demand);
    }

    /** A question names one type: of several, the partition has to look at each where not all may come in. */
    private CapacityVerdict ask(Demand demand) {
        return gates.restricted() && demand.types().size() > 1 ? CapacityVerdict.WRITE : CapacityVerdict.ASK;
    }

    /** The partition would reject it for want of room, and for nothing else. */
    private boolean isCertain(Demand demand, long now) {
        AdmissionGates newest = gates;
        if (newest.draining() || !demand.from().madeIds()) return false;
        return !newest.restricted() || demand.types().stream().allMatch(type -> hasEntered(visitor(demand, type), now));
    }

    private boolean hasEntered(Visitor visitor, long now) {
        Long at = mayEnter.get(visitor);
        return at != null && now - at <= STANDS.toNanos();
    }

    private static Visitor visitor(Demand demand, String type) {
        return new Visitor(demand.from().producer(), type);
    }

    private CapacityVerdict judgeTenants(Demand demand, Known newest, long now) {
        if (byTenant.isEmpty()) return CapacityVerdict.WRITE;
        for (Map.Entry<String, Long> own : demand.tenants().entrySet()) {
            TenantAmount any = new TenantAmount(own.getKey(), TenantAmount.ANY);
            TenantRejection last = byTenant.get(any);
            if (last == null || !last.isOver(own.getValue())) continue;
            if (!last.isNewest(newest.room.version()) && !last.standsAt(now)) {
                byTenant.remove(any, last);
                continue;
            }
            TenantRejection alike = byTenant.get(TenantAmount.of(own.getKey(), demand));
            boolean isAlike = alike != null
                    && alike.isNewest(newest.room.version())
                    && alike.standsAt(now)
                    && demand.tenants().size() == 1;
            return alike != null && isAlike && isCertain(demand, now) && !alike.isQuestion(now)
                    ? CapacityVerdict.reject(alike.rejection())
                    : ask(demand);
        }
        return CapacityVerdict.WRITE;
    }

    private boolean isQuestion(long now) {
        long before = askedAt.get();
        return now - before >= BETWEEN_QUESTIONS.toNanos() && askedAt.compareAndSet(before, now);
    }

    private Rejection told(Known newest, Rejected last) {
        Told before = last.told;
        if (before != null && before.known == newest) return before.rejection;
        Rejection rejection = newest.room.putInto(last.rejection);
        last.told = new Told(newest, rejection);
        return rejection;
    }

    /**
     * Jobs were rejected here, of which the partition does not know; true if there was nothing to tell it before.
     *
     * @param tenant whose bound was the reason; {@link #NO_TENANT} if that of the whole queue was
     */
    boolean count(String tenant, long jobs, String type) {
        Unreported own = unreported.computeIfAbsent(tenant, t -> new Unreported());
        own.lastType = type;
        return own.jobs.getAndAdd(jobs) == 0;
    }

    long unreported() {
        return unreported.values().stream().mapToLong(own -> own.jobs.get()).sum();
    }

    /** The number of rejected jobs of a tenant that were not reported yet; the caller reports it. */
    long takeUnreported(String tenant) {
        Unreported own = unreported.get(tenant);
        return own == null ? 0 : own.jobs.getAndSet(0);
    }

    /** Returns the type of the job that was rejected last. */
    String lastType(String tenant) {
        Unreported own = unreported.get(tenant);
        return own == null ? "" : own.lastType;
    }
}
