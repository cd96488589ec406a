package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state of one queue. The order of what is ready is kept in memory only, and rebuilt from the jobs at a start. */
public final class Queue {
    private static final int VERSION = 1;
    private static final int COUNTED_AND_FAIR = 2;

    public final String name;

    public Counts counts = new Counts();

    @Nullable
    public Instant pausedAt;

    /** The name of the API key that paused it; null if it is not paused, or the caller had none. */
    @Nullable
    public String pausedBy;

    @Nullable
    public String pausedReason;

    /** Null if no worker has fetched from it yet. */
    @Nullable
    public RecentFetches fetches;

    public long version;
    private long ranks;
    // A partition may have fifty thousand queues, most of them empty: unused members take no memory.
    private long createdAt;
    private long updatedAt;
    private @Nullable ReadyOrder ready;
    private @Nullable Throughput throughput;
    private final Supplier<QueueConfig> defaults;
    private QueueConfig decided = QueueConfig.NONE;
    private QueueConfig config = QueueConfig.NONE;
    /** The defaults that {@link #config} was made with; null if it has to be made again. */
    private @Nullable QueueConfig madeWith = QueueConfig.NONE;

    private PublishedCounts told = PublishedCounts.NOTHING;
    private @Nullable RecentRate offered;
    private @Nullable QueueLimit limit;
    /** Memory of limits with which {@link Queues} counts this queue. */
    long countedLimitBytes;

    private Life life = Life.IMPLICIT;
    private boolean countsTenants;
    private @Nullable JobId tenantsCountedBefore;

    /** Null unless the queue bounds its tenants, or they take turns. */
    @Nullable
    public TenantJobs tenants;

    /** Numbers of jobs of each tenant that are on their way here from another queue, with reserved capacity. */
    public Map<String, Long> tenantsToCome = Collections.emptyMap();

    private @Nullable FairOrder fair;

    /** @param defaults what holds where nothing is decided about the queue itself */
    Queue(String name, Supplier<QueueConfig> defaults) {
        this.name = name;
        this.defaults = defaults;
    }

    /** Returns the configuration in force. */
    @SuppressWarnings("ReferenceEquality") // a change of the defaults makes new ones
    public QueueConfig config() {
        QueueConfig below = defaults.get();
        if (madeWith != below) {
            // mutant: policy-below
            config = decided.isNone() ? below : decided.over(below);
            madeWith = below;
        }
        return config;
    }

    /** Returns the configuration that was decided for this queue itself. */
    public QueueConfig decided() {
        return decided;
    }

    void decide(QueueConfig now) {
        decided = now;
        madeWith = null;
    }

    /** Returns the state of its limits; null if it never had any. */
    @Nullable
    public QueueLimit limit() {
        return limit == null && config().limits().isUnlimited() ? null : useLimit();
    }

    /** Returns the time from which the state of its limits makes no difference. */
    public Instant limitIsQuietAt() {
        return limit == null ? Instant.EPOCH : limit.limiter().quietAt(limits());
    }

    /** Returns the memory of its limits and of its fetches. */
    long variableBytes() {
        return (limit == null ? 0 : limit.bytes()) + (fetches == null ? 0 : fetches.bytes());
    }

    public QueueLimit useLimit() {
        if (limit == null) limit = new QueueLimit();
        return limit;
    }

    /** Returns its own limits in force. */
    public Allowance limits() {
        Allowance configured = config().limits();
        return limit == null ? configured : limit.over(configured);
    }

    /** Returns how many of its jobs its own limits let start. */
    public int room(Instant now) {
        QueueLimit known = limit();
        return known == null ? Integer.MAX_VALUE : known.room(limits(), counts.of(JobState.ACTIVE), now);
    }

    /** Returns what holds all of its jobs back; null if nothing does. */
    @Nullable
    public Held held(Instant now) {
        QueueLimit known = limit();
        return known == null ? null : known.held(limits(), counts.of(JobState.ACTIVE), now);
    }

    public Life life() {
        return life;
    }

    void live(Life now) {
        life = now;
    }

    /** Returns its end, if it is being deleted; null if not. */
    @Nullable
    public Ending ending() {
        return life.ending();
    }

    /** Returns whether the queue is deleted, and kept for its finished jobs alone. */
    public boolean isGone() {
        return life.gone();
    }

    /** Returns whether workers get something out of it, should there be something. */
    public boolean handsOut() {
        Ending ending = life.ending();
        return pausedAt == null && (ending == null || !ending.endsJobs());
    }

    /** Another queue of this name begins; what has finished in the one before stays. */
    void beginAgain() {
        unpause();
        throughput = null;
        told = PublishedCounts.NOTHING;
        offered = null;
        unfreeze();
        if (limit != null) limit.override(null);
    }

    /** A stop that a worker has asked for does not hold its jobs back any more. */
    public void unfreeze() {
        if (limit != null) limit.unfreeze();
    }

    public PublishedCounts told() {
        return told;
    }

    public void tell(PublishedCounts now) {
        told = now;
    }

    public void createdAt(Instant time) {
        createdAt = time.toEpochMilli();
    }

    /** Returns the time of its first use. */
    public Instant createdAt() {
        return Instant.ofEpochMilli(createdAt);
    }

    public void updatedAt(Instant time) {
        updatedAt = time.toEpochMilli();
    }

    public Instant updatedAt() {
        return Instant.ofEpochMilli(updatedAt);
    }

    /** Returns the jobs that can be fetched. */
    public ReadyOrder ready() {
        return ready == null ? ReadyOrder.NONE : ready;
    }

    /** @param waits for another job of its order key */
    public boolean addReady(IndexEntry job, @Nullable PermitAccount account, boolean waits) {
        if (ready == null) ready = new ReadyOrder(fair);
        if (tenants != null && job.tenant() != null)
            tenants.addReady(job.tenant(), job.priority(), job.rank(), job.id());
        return waits ? ready.addBehind(job) : ready.add(job, account, name);
    }

    public boolean removeReady(IndexEntry job, @Nullable PermitAccount account) {
        if (tenants != null && job.tenant() != null)
            tenants.removeReady(job.tenant(), job.priority(), job.rank(), job.id());
        boolean removed = ready != null && ready.remove(job, account);
        if (ready != null && ready.isEmpty()) ready = null;
        return removed;
    }

    /** Returns the entry of the job in the ready order: a search through all of it. */
    @Nullable
    public IndexEntry findReady(JobId job) {
        return ready().find(job, this, tenants == null ? null : tenants.tenantOf(job, this));
    }

    /** Returns the unfinished jobs of a tenant, if they are counted, and those with reserved capacity. */
    public long depthOf(String tenant) {
        return tenantsToCome.getOrDefault(tenant, 0L) + (tenants == null ? 0 : tenants.depth(tenant));
    }

    public boolean countsTenants() {
        return countsTenants;
    }

    /** Returns the id before which the tenants of jobs are counted; null if all are counted, or none. */
    @Nullable
    public JobId tenantsCountedBefore() {
        return tenantsCountedBefore;
    }

    /** @param job all are counted if this is null */
    public void countTenantsBefore(@Nullable JobId job) {
        countsTenants = true;
        tenantsCountedBefore = job;
    }

    public void countNoTenants() {
        countsTenants = false;
        tenantsCountedBefore = null;
    }

    /** Returns whether this job, which is in the queue, is counted as one of its tenant's. */
    public boolean countsTenantOf(JobId job) {
        return countsTenants && (tenantsCountedBefore == null || job.compareTo(tenantsCountedBefore) < 0);
    }

    /** The turns of its tenants; null if they never took any since it was last empty. */
    @Nullable
    public FairOrder fair() {
        return fair;
    }

    /** Lets its tenants take turns, as soon as they are counted. */
    public void beginFair() {
        follow(new FairOrder(() -> config().policy().fairness()));
    }

    /** The order of turns, all of whose jobs are still to be counted; or none. */
    public void follow(@Nullable FairOrder turns) {
        fair = turns;
        if (ready != null) ready.follow(turns);
    }

    void pause(Instant at, @Nullable Identity by, @Nullable String reason) {
        pausedAt = at;
        pausedBy = by == null ? null : by.name();
        pausedReason = reason;
    }

    void unpause() {
        pausedAt = null;
        pausedBy = null;
        pausedReason = null;
    }

    public boolean isPaused() {
        return pausedAt != null;
    }

    /** The number of jobs that are to come in, whatever becomes of that; each counts once. */
    public void isOffered(long jobs, Instant now) {
        if (offered == null) offered = new RecentRate();
        offered.add(jobs, now);
    }

    public double fillsPerSecond(Instant now) {
        return offered == null ? 0 : offered.perSecond(now);
    }

    /** Returns a rank at the end of the queue. */
    public long nextRank() {
        return ++ranks;
    }

    /** Returns whether nothing is in the queue, nothing is left of earlier jobs, and no operator has configured it. */
    public boolean isUnused() {
        return pausedAt == null
                && counts.all() == 0
                && decided.isNone()
                && life.equals(Life.IMPLICIT)
                && (limit == null || !limit.isOverridden());
    }

    public Throughput throughput() {
        if (throughput == null) throughput = new Throughput();
        return throughput;
    }

    /** Returns how many jobs leave the queue in a second, in whatever way. */
    public double drainsPerSecond(Instant now) {
        return throughput == null ? 0 : throughput.leavesPerSecond(now);
    }

    public Throughput.Recent recent(Instant now) {
        return (throughput == null ? Throughput.NONE : throughput).recent(now);
    }

    public Throughput.Figures figures(Instant now) {
        return (throughput == null ? Throughput.NONE : throughput).at(now);
    }

    byte[] write() {
        BinaryOut out = new BinaryOut().u8(VERSION).number(createdAt).number(updatedAt);
        out.optional(pausedAt);
        if (pausedAt != null) out.optional(pausedBy).optional(pausedReason);
        out.number(version).number(ranks);
        counts.write(out);
        (throughput == null ? Throughput.NONE : throughput).write(out);
        boolean isLimited = limit != null && !limit.isNew();
        boolean lives = !life.equals(Life.IMPLICIT) || counts.hasMore();
        boolean flows = offered != null || isLimited || lives;
        if (!told.isAny() && !countsTenants && !flows) return out.toBytes();
        PublishedCounts.STORED.write(told, out);
        if (!countsTenants && !flows) return out.toBytes();
        out.u8(fair != null ? COUNTED_AND_FAIR : countsTenants ? 1 : 0);
        if (countsTenants) writeCounted(out);
        if (flows) (offered == null ? new RecentRate() : offered).write(out);
        if (isLimited || lives) (limit == null ? new QueueLimit() : limit).write(out);
        if (lives) Life.STORED.write(life, out);
        if (lives) counts.writeMore(out);
        return out.toBytes();
    }

    private void writeCounted(BinaryOut out) {
        JobId before = tenantsCountedBefore;
        out.flag(before != null);
        if (before != null) out.signed(before.high()).signed(before.low());
    }

    static Queue read(String name, Supplier<QueueConfig> defaults, byte[] value) {
        Queue queue = new Queue(name, defaults);
        queue.restore(value);
        return queue;
    }

    /** Makes it what is stored; those who are ready stay. */
    void restore(byte[] value) {
        BinaryIn in = new BinaryIn(value);
        in.version(VERSION, () -> "queue " + name);
        createdAt = in.number();
        updatedAt = in.number();
        pausedAt = in.optionalTime();
        pausedBy = pausedAt == null ? null : in.optionalText();
        pausedReason = pausedAt == null ? null : in.optionalText();
        version = in.number();
        ranks = in.number();
        counts = Counts.read(in);
        Throughput read = Throughput.read(in);
        throughput = read.isEmpty() ? null : read;
        told = in.hasMore() ? PublishedCounts.read(in) : PublishedCounts.NOTHING;
        int counted = in.hasMore() ? in.u8() : 0;
        countsTenants = counted != 0;
        if (counted != COUNTED_AND_FAIR) fair = null;
        else if (fair == null) beginFair();
        tenantsCountedBefore = countsTenants && in.flag() ? new JobId(in.signed(), in.signed()) : null;
        RecentRate readOffered = in.hasMore() ? RecentRate.read(in) : new RecentRate();
        offered = readOffered.isEmpty() ? null : readOffered;
        QueueLimit readLimit = in.hasMore() ? QueueLimit.read(in) : new QueueLimit();
        limit = readLimit.isNew() ? null : readLimit;
        life = in.hasMore() ? Life.STORED.read(in) : Life.IMPLICIT;
        if (in.hasMore()) counts.readMore(in);
    }
}
