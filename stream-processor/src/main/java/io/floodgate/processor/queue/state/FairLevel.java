package io.floodgate.processor.queue.state;

import io.floodgate.processor.queue.state.FairOrder.Next;
import io.floodgate.processor.queue.state.PermitAccount.PermitState;
import io.floodgate.processor.queue.state.SubQueue.Head;
import io.floodgate.topics.JobId;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The tenants that have available jobs of one priority, in the order of their turns. */
final class FairLevel {
    private static final List<PermitState> STARTABLE =
            List.of(PermitState.STOCKED, PermitState.OPEN, PermitState.ASKED);

    private final int priority;
    /** The turn that began last. */
    long time;
    /** Jobs without a rate limit of known tenants, in the order of their arrival. */
    final ReadyLine arrivals = new ReadyLine();

    private final TreeMap<String, TenantLine> lines = new TreeMap<>();
    private final EnumMap<PermitState, NavigableMap<Head, TenantLine>> orders = new EnumMap<>(PermitState.class);

    FairLevel(int priority) {
        this.priority = priority;
        for (PermitState standing : PermitState.values()) orders.put(standing, new TreeMap<>());
    }

    @Nullable
    TenantLine find(String tenant) {
        return lines.get(tenant);
    }

    /** Changes what the tenant has, and puts it where it belongs then. */
    void change(String tenant, Consumer<TenantLine> change) {
        TenantLine line = lines.computeIfAbsent(tenant, t -> new TenantLine(priority, t));
        change.accept(line);
        for (PermitState standing : PermitState.values()) line.place(standing, order(standing));
        if (!line.hasJobs() && line.turn == 0) lines.remove(tenant);
    }

    private NavigableMap<Head, TenantLine> order(PermitState standing) {
        NavigableMap<Head, TenantLine> order = orders.get(standing);
        if (order == null) throw new IllegalStateException("no order for " + standing);
        return order;
    }

    boolean add(String tenant, long number, JobId job) {
        if (!arrivals.add(number, job)) return false;
        change(tenant, line -> line.add(number, job));
        return true;
    }

    boolean remove(String tenant, long number, JobId job) {
        if (!arrivals.remove(number, job)) return false;
        change(tenant, line -> line.remove(number, job));
        return true;
    }

    /**
     * The first job that is wanted: by the turn of its tenant, equal turns by arrival.
     *
     * @param byTurns whether turns count
     */
    @Nullable
    Next first(PermitState standing, WantedFilter wanted, boolean byTurns) {
        // mutant: tenant-of-fetch
        if (wanted.namesTenants()) return earliestOf(named(wanted.tenants()), standing, wanted, byTurns);
        if (!byTurns) return earliestOf(order(standing).values(), standing, wanted, false);
        Next first = null;
        for (Map.Entry<Head, TenantLine> each : order(standing).entrySet()) {
            if (wanted.passesOver(each.getValue().tenant)) continue;
            if (first != null && first.head().compareTo(each.getKey()) < 0) break;
            Next own = each.getValue().first(standing, wanted);
            if (own != null && (first == null || own.head().compareTo(first.head()) < 0)) first = own;
        }
        return first;
    }

    private List<TenantLine> named(List<String> tenants) {
        return tenants.stream().map(lines::get).filter(Objects::nonNull).toList();
    }

    private static @Nullable Next earliestOf(
            Collection<TenantLine> some, PermitState standing, WantedFilter wanted, boolean byTurns) {
        Next first = null;
        for (TenantLine line : some) {
            Next own = wanted.passesOver(line.tenant) ? null : line.first(standing, wanted);
            if (own == null) continue;
            if (!byTurns) own = new Next(own.head().at(0), own.subQueue());
            if (first == null || own.head().compareTo(first.head()) < 0) first = own;
        }
        return first;
    }

    /** Returns whether {@code most} were found by now, or what is left comes after the last one. */
    boolean impatient(
            int most,
            WantedFilter wanted,
            boolean byTurns,
            @Nullable Head before,
            Predicate<SubQueue> isWanted,
            List<SubQueue> into) {
        if (wanted.namesTenants()) {
            for (String tenant : wanted.tenants()) {
                TenantLine line = lines.get(tenant);
                if (line != null && impatient(line, most, byTurns, before, isWanted, into)) return true;
            }
            return false;
        }
        for (Map.Entry<Head, TenantLine> each : order(PermitState.OUT).entrySet()) {
            if (byTurns && before != null && each.getKey().compareTo(before) >= 0) return true;
            if (impatient(each.getValue(), most, byTurns, before, isWanted, into)) return true;
        }
        return false;
    }

    private static boolean impatient(
            TenantLine line,
            int most,
            boolean byTurns,
            @Nullable Head before,
            Predicate<SubQueue> isWanted,
            List<SubQueue> into) {
        for (SubQueue subQueue : line.impatient()) {
            if (into.size() == most) return true;
            Head head = subQueue.head;
            if (head == null) break;
            if (before != null && head.at(byTurns ? line.turn : 0).compareTo(before) >= 0) break;
            if (isWanted.test(subQueue)) into.add(subQueue);
        }
        return false;
    }

    void addStartable(Set<String> tenants) {
        for (PermitState standing : STARTABLE)
            for (TenantLine line : order(standing).values()) tenants.add(line.tenant);
    }

    boolean mayStart(String tenant) {
        TenantLine line = lines.get(tenant);
        return line != null && STARTABLE.stream().anyMatch(line::stands);
    }

    int size() {
        return lines.size();
    }

    boolean hasJobs() {
        for (TenantLine line : lines.values()) if (line.hasJobs()) return true;
        return false;
    }

    boolean isEmpty() {
        return lines.isEmpty() && time == 0;
    }
}
