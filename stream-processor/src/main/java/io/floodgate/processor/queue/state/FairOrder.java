package io.floodgate.processor.queue.state;

import io.floodgate.processor.queue.state.PermitAccount.PermitState;
import io.floodgate.processor.queue.state.SubQueue.Head;
import io.floodgate.topics.JobId;
import io.floodgate.topics.queue.TenantFairness;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The order of a queue whose tenants take turns: start-time fair queueing, with one job for a turn. Each priority has a virtual
 * time, which is the turn that began last. A tenant that begins to wait, or has just started a job, has its next turn a
 * {@link #ROUND} after it, divided by the tenant's weight:
 *
 * <pre>
 *   time 3   a (weight 1)  turn 4   a7 a8 a9 ...
 *            b (weight 2)  turn 3.5 b2 b3              b2, then a7 (it came before b3, whose turn is 4 by then), b3, a8 ...
 * </pre>
 *
 * So while a tenant waits, another one of the same weight starts two jobs at most: one whose turn has come, and one with the
 * same turn that came earlier. A tenant that a limit has held back has one job to catch up on. Jobs whose tenants are not known
 * yet, since the setting is new, are together one tenant more.
 */
public final class FairOrder {
    /** Divisible by all weights up to sixteen; for others, some ten thousandths are lost. */
    public static final long ROUND = 720_720;

    /** Tenant of jobs that were there before the tenants of the queue were known, until they are looked at. */
    static final String UNSORTED = "";

    /**
     * The job that is next.
     *
     * @param subQueue null if it has no rate limit
     */
    record Next(Head head, @Nullable SubQueue subQueue) {}

    private final Supplier<@Nullable TenantFairness> decided;
    private final TreeMap<Integer, FairLevel> levels = new TreeMap<>(Collections.reverseOrder());

    /** @param decided what is decided about the turns of tenants by now */
    FairOrder(Supplier<@Nullable TenantFairness> decided) {
        this.decided = decided;
    }

    /** Returns whether tenants take turns; if not, the order is only kept up. */
    public boolean isOn() {
        TenantFairness now = decided.get();
        return now != null && now.isOn();
    }

    /** Returns the distance of a tenant's next turn from the last one that began. */
    public long step(String tenant) {
        TenantFairness now = decided.get();
        return ROUND / (now == null ? 1 : now.weight(tenant));
    }

    // turns

    /** The name under which the tenant of a job has its turns. */
    public static String tenantOf(IndexEntry job) {
        return job.tenant() == null ? UNSORTED : job.tenant();
    }

    /** The virtual time of a priority. */
    public long time(int priority) {
        FairLevel level = levels.get(priority);
        return level == null ? 0 : level.time;
    }

    public void time(int priority, long now) {
        FairLevel level = levels.computeIfAbsent(priority, FairLevel::new);
        level.time = now;
        forgetIfEmpty(priority, level);
    }

    /** The next turn of a tenant; 0 if it has none. */
    public long turn(int priority, String tenant) {
        TenantLine line = find(priority, tenant);
        return line == null ? 0 : line.turn;
    }

    public void turn(int priority, String tenant, long turn) {
        change(priority, tenant, line -> line.turn = turn);
    }

    /** Returns whether the tenant has available jobs of this priority. */
    public boolean waits(int priority, String tenant) {
        TenantLine line = find(priority, tenant);
        return line != null && line.hasJobs();
    }

    /** Returns whether any tenant has. */
    public boolean hasJobs(int priority) {
        FairLevel level = levels.get(priority);
        return level != null && level.hasJobs();
    }

    private @Nullable TenantLine find(int priority, String tenant) {
        FairLevel level = levels.get(priority);
        return level == null ? null : level.find(tenant);
    }

    private void change(int priority, String tenant, Consumer<TenantLine> change) {
        FairLevel level = levels.computeIfAbsent(priority, FairLevel::new);
        level.change(tenant, change);
        forgetIfEmpty(priority, level);
    }

    private void forgetIfEmpty(int priority, FairLevel level) {
        if (level.isEmpty()) levels.remove(priority);
    }

    // jobs

    /** A job of a known tenant, without a rate limit. */
    boolean add(IndexEntry job) {
        return levels.computeIfAbsent(job.priority(), FairLevel::new).add(tenantOf(job), job.number(), job.id());
    }

    boolean remove(IndexEntry job) {
        FairLevel level = levels.get(job.priority());
        if (level == null || !level.remove(tenantOf(job), job.number(), job.id())) return false;
        forgetIfEmpty(job.priority(), level);
        return true;
    }

    /** The jobs without a rate limit whose tenants are not known yet have changed: these are left; null for none. */
    void unsorted(int priority, @Nullable ReadyLine left) {
        change(priority, UNSORTED, line -> line.free = left);
    }

    void enter(SubQueue subQueue) {
        if (subQueue.head != null)
            change(subQueue.name.priority(), subQueue.name.tenant(), line -> line.enter(subQueue));
    }

    /** Takes the sub-queue out before its head or standing changes. */
    void leave(SubQueue subQueue) {
        if (subQueue.head != null)
            change(subQueue.name.priority(), subQueue.name.tenant(), line -> line.leave(subQueue));
    }

    // the order

    @Nullable
    Next first(PermitState standing, WantedFilter wanted) {
        for (FairLevel level : levels.values()) {
            Next first = level.first(standing, wanted, isOn());
            if (first != null) return first;
        }
        return null;
    }

    /** Sub-queues of the tenants that are wanted that are held back, and have jobs before this one that do not want to wait. */
    List<SubQueue> impatient(int most, WantedFilter wanted, @Nullable Head before, String queue) {
        List<SubQueue> some = new ArrayList<>();
        for (FairLevel level : levels.values())
            if (level.impatient(most, wanted, isOn(), before, subQueue -> subQueue.account.heldIn(queue) != null, some))
                break;
        return some;
    }

    /** The tenants that have jobs that can start, or of which it is to be asked whether they can. */
    public Set<String> startableTenants() {
        TreeSet<String> tenants = new TreeSet<>();
        for (FairLevel level : levels.values()) level.addStartable(tenants);
        return tenants;
    }

    /** Returns whether the tenant has such jobs. */
    public boolean mayStart(String tenant) {
        for (FairLevel level : levels.values()) if (level.mayStart(tenant)) return true;
        return false;
    }

    /** The most tenants that are looked through for {@link #startableTenants}. */
    public int maxTenants() {
        int tenants = 0;
        for (FairLevel level : levels.values()) tenants += level.size();
        return tenants;
    }

    // the order of arrival

    Collection<Integer> priorities() {
        return levels.keySet();
    }

    /** Jobs of known tenants without a rate limit, in the order of their arrival; null if there are none. */
    @Nullable
    ReadyLine arrivals(int priority) {
        FairLevel level = levels.get(priority);
        return level == null || level.arrivals.isEmpty() ? null : level.arrivals;
    }

    /** Returns the number of such jobs with a higher priority. */
    long arrivalsAbove(int priority) {
        long jobs = 0;
        for (FairLevel level : levels.headMap(priority).values()) jobs += level.arrivals.size();
        return jobs;
    }

    @Nullable
    Head firstArrival(WantedFilter wanted) {
        for (Map.Entry<Integer, FairLevel> each : levels.entrySet()) {
            Head first = ReadyOrder.first(each.getKey(), each.getValue().arrivals, wanted);
            if (first != null) return first;
        }
        return null;
    }

    /** A search through all of them. */
    @Nullable
    Head find(JobId job) {
        for (Map.Entry<Integer, FairLevel> each : levels.entrySet()) {
            Long number = each.getValue().arrivals.numberOf(job);
            if (number != null) return new Head(each.getKey(), number, job);
        }
        return null;
    }
}
