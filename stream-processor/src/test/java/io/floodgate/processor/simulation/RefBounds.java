package io.floodgate.processor.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The bounds of the {@link Reference}: what a queue may hold, and each tenant in it, and who waits for room. */
final class RefBounds {
    private static final String FULL = "rejected QUEUE_FULL";
    private static final String NEVER = "rejected BATCH_EXCEEDS_BOUND";
    private static final String TENANT_FULL = "rejected TENANT_LIMIT_EXCEEDED";

    /**
     * @param depth zero for none, as is {@code bytes}
     * @param tenants how many jobs each may have, zero for any number; {@code *} is for those who are not named
     */
    record Bound(long depth, long bytes, String strategy, Map<String, Long> tenants) {
        static final Bound NONE = new Bound(0, 0, "reject", Map.of());

        boolean isOfTenantsAlone() {
            return depth == 0 && bytes == 0 && !tenants.isEmpty();
        }

        long of(String tenant) {
            return tenants.getOrDefault(tenant, tenants.getOrDefault("*", 0L));
        }
    }

    /**
     * Jobs that are offered together.
     *
     * @param number of the question, in the order in which they come; its place in line, should it have to wait
     * @param single not a batch
     * @param until it waits at most; it does not if that is now
     */
    record Offer(long number, List<Submission> jobs, boolean single, long until) {}

    /** What comes into one queue; {@code tenants} only where the queue bounds them. */
    private record Demand(String queue, long jobs, long bytes, Map<String, Long> tenants) {}

    private record Blocked(Offer offer, Demand demand) {
        boolean isAt(String queue) {
            return demand.queue.equals(queue);
        }

        /** Producers without a common tenant wait in different lines. */
        boolean sharesTenant(Map<String, Long> others) {
            if (demand.tenants.isEmpty() || others.isEmpty()) return demand.tenants.isEmpty() && others.isEmpty();
            return demand.tenants.keySet().stream().anyMatch(others::containsKey);
        }
    }

    private final Reference reference;
    private final Map<String, Bound> bounds = new TreeMap<>();
    private final List<Blocked> line = new ArrayList<>();

    RefBounds(Reference reference) {
        this.reference = reference;
    }

    void decide(String queue, Bound bound) {
        bounds.put(queue, bound);
    }

    boolean countsTenants(String queue) {
        return !of(queue).tenants.isEmpty();
    }

    private Bound of(String queue) {
        return bounds.getOrDefault(queue, Bound.NONE);
    }

    // ---- what fits

    private static long over(long bound, long now, long more) {
        return bound == 0 ? 0 : Math.max(0, now + more - bound);
    }

    private long overDepth(Demand demand) {
        return over(of(demand.queue).depth, reference.depth(demand.queue), demand.jobs);
    }

    private long overBytes(Demand demand) {
        return over(of(demand.queue).bytes, reference.bytes(demand.queue), demand.bytes);
    }

    private long overTenant(String queue, String tenant, long more) {
        return over(
                of(queue).of(tenant),
                reference.endings.keptJobs(queue, tenant)
                        + reference
                                .live(queue)
                                .filter(job -> job.wish.tenant().equals(tenant))
                                .count(),
                more);
    }

    private boolean queueHasRoom(Demand demand) {
        return overDepth(demand) == 0 && overBytes(demand) == 0;
    }

    private Optional<String> fullTenant(String queue, Map<String, Long> jobs) {
        return jobs.entrySet().stream()
                .filter(own -> overTenant(queue, own.getKey(), own.getValue()) > 0)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private Optional<String> neverFitting(Demand demand) {
        return demand.tenants.entrySet().stream()
                .filter(own -> over(of(demand.queue).of(own.getKey()), 0, own.getValue()) > 0)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private boolean canNeverFit(Demand demand) {
        Bound bound = of(demand.queue);
        return over(bound.depth, 0, demand.jobs) > 0
                || over(bound.bytes, 0, demand.bytes) > 0
                || neverFitting(demand).isPresent();
    }

    private String reject(Demand demand) {
        if (neverFitting(demand).isPresent()) return NEVER;
        boolean ofTenant = fullTenant(demand.queue, demand.tenants).isPresent()
                || (of(demand.queue).isOfTenantsAlone() && !demand.tenants.isEmpty());
        if (ofTenant) return TENANT_FULL;
        return canNeverFit(demand) ? NEVER : FULL;
    }

    /** All of a queue that moves here. */
    boolean canTake(String queue, long jobs, long bytes, Map<String, Long> tenants) {
        Demand demand = new Demand(queue, jobs, bytes, countsTenants(queue) ? tenants : Map.of());
        return fits(demand) && !othersComeFirst(demand, Long.MAX_VALUE);
    }

    // ---- who comes

    private List<Demand> demands(Offer offer) {
        Map<String, List<Submission>> byQueue = new LinkedHashMap<>();
        offer.jobs.forEach(job ->
                byQueue.computeIfAbsent(job.queue(), queue -> new ArrayList<>()).add(job));
        List<Demand> demands = new ArrayList<>();
        byQueue.forEach((queue, jobs) -> {
            Map<String, Long> tenants = new TreeMap<>();
            if (!of(queue).tenants.isEmpty()) jobs.forEach(job -> tenants.merge(job.tenant(), 1L, Long::sum));
            long bytes = jobs.stream().mapToLong(Submission::bytes).sum();
            demands.add(new Demand(queue, jobs.size(), bytes, tenants));
        });
        return demands;
    }

    /** Makes room for all of it. What it is rejected with, or nothing; and it waits if its answer is {@link #LATER}. */
    @Nullable
    String makeRoom(Offer offer) {
        List<Demand> demands = demands(offer);
        for (Demand demand : demands) if (canNeverFit(demand)) return reject(demand);
        List<RefJob> victims = new ArrayList<>();
        Demand waiting = null;
        for (Demand demand : demands) {
            if (fits(demand) && !othersComeFirst(demand, offer.number)) continue;
            switch (of(demand.queue).strategy) {
                case "drop_oldest" -> {
                    List<RefJob> some = victims(demand, othersComeFirst(demand, offer.number));
                    if (some == null) return reject(demand);
                    victims.addAll(some);
                }
                case "block" -> {
                    if (offer.until <= reference.now()) return reject(demand);
                    if (waiting == null) waiting = demand;
                }
                default -> {
                    return reject(demand);
                }
            }
        }
        if (waiting != null) {
            line.add(new Blocked(offer, waiting));
            return LATER;
        }
        victims.forEach(reference::drop);
        return null;
    }

    /** It is in line, and answered later. */
    static final String LATER = "later";

    private boolean fits(Demand demand) {
        return queueHasRoom(demand) && fullTenant(demand.queue, demand.tenants).isEmpty();
    }

    /**
     * The least urgent, of those the oldest: of each tenant that has reached its bound, then of anybody; null if too few. As
     * much again of what a lowered bound has left over goes with them. Where others come first, what is free is theirs.
     */
    private @Nullable List<RefJob> victims(Demand demand, boolean isBehind) {
        List<RefJob> chosen = new ArrayList<>();
        for (Map.Entry<String, Long> own : demand.tenants.entrySet()) {
            long over = overTenant(demand.queue, own.getKey(), own.getValue());
            long before = chosen.size();
            long wanted = before + Math.min(over, 2 * own.getValue());
            choose(demand.queue, job -> job.wish.tenant().equals(own.getKey()), chosen, () -> chosen.size() < wanted);
            if (chosen.size() < before + Math.min(over, own.getValue())) return null;
        }
        Bound bound = of(demand.queue);
        long depth = Math.max(overDepth(demand), isBehind && bound.depth > 0 ? demand.jobs : 0);
        long bytes = Math.max(overBytes(demand), isBehind && bound.bytes > 0 ? demand.bytes : 0);
        choose(
                demand.queue,
                job -> true,
                chosen,
                () -> isTooLittle(chosen, Math.min(depth, 2 * demand.jobs), Math.min(bytes, 2 * demand.bytes)));
        return isTooLittle(chosen, Math.min(depth, demand.jobs), Math.min(bytes, demand.bytes)) ? null : chosen;
    }

    private static boolean isTooLittle(List<RefJob> chosen, long jobs, long bytes) {
        return chosen.size() < jobs
                || chosen.stream().mapToLong(job -> job.bytes).sum() < bytes;
    }

    private void choose(String queue, Predicate<RefJob> which, List<RefJob> chosen, BooleanSupplier more) {
        List<RefJob> inOrder = reference.jobs.stream()
                .filter(job -> job.is("available") && job.queue.equals(queue) && which.test(job))
                .filter(job -> !chosen.contains(job))
                .sorted(Comparator.comparingInt((RefJob job) -> job.priority).thenComparingLong(job -> job.rank))
                .toList();
        for (RefJob job : inOrder) if (more.getAsBoolean()) chosen.add(job);
    }

    // ---- who waits

    private List<Blocked> lineAt(String queue) {
        return line.stream()
                .filter(blocked -> blocked.isAt(queue))
                .sorted(Comparator.comparingLong(blocked -> blocked.offer.number))
                .toList();
    }

    /** No producer waits at a queue that drops; those who did before do not go on, nor those at a deleted one. */
    private boolean letsIn(String queue) {
        return of(queue).strategy.equals("drop_oldest") || reference.endings.isEnding(queue);
    }

    boolean isWaitedFor(String queue) {
        return line.stream().anyMatch(blocked -> blocked.isAt(queue));
    }

    /** The first whose tenants all have room, and of whose tenants none came before. */
    private Optional<Blocked> next(String queue) {
        List<Blocked> before = new ArrayList<>();
        for (Blocked blocked : lineAt(queue)) {
            Map<String, Long> tenants = blocked.demand.tenants;
            boolean isFirst = before.stream().noneMatch(other -> other.sharesTenant(tenants));
            if (isFirst && (letsIn(queue) || fullTenant(queue, tenants).isEmpty())) return Optional.of(blocked);
            before.add(blocked);
        }
        return Optional.empty();
    }

    private boolean othersComeFirst(Demand demand, long number) {
        boolean ofSameTenant = lineAt(demand.queue).stream()
                .anyMatch(blocked -> blocked.offer.number < number && blocked.sharesTenant(demand.tenants));
        return ofSameTenant
                || next(demand.queue)
                        .filter(blocked -> blocked.offer.number < number)
                        .isPresent();
    }

    /** The next producer in a line that has room by now, or need not wait there any more; it is out of the line. */
    @Nullable
    Offer next() {
        for (String queue : bounds.keySet()) {
            Blocked next = next(queue).orElse(null);
            if (next == null || !(letsIn(queue) || queueHasRoom(next.demand))) continue;
            line.remove(next);
            return next.offer;
        }
        return null;
    }

    /** The first whose time is up. */
    @Nullable
    Offer spent() {
        return line.stream()
                .map(Blocked::offer)
                .min(Comparator.comparingLong(Offer::until).thenComparingLong(Offer::number))
                .orElse(null);
    }

    void leave(Offer offer) {
        line.removeIf(blocked -> blocked.offer.equals(offer));
    }

    void withdraw(List<Long> numbers) {
        line.removeIf(blocked -> numbers.isEmpty() || numbers.contains(blocked.offer.number));
    }

    List<Offer> waiting() {
        return line.stream().map(Blocked::offer).toList();
    }
}
