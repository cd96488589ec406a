package io.floodgate.processor.simulation;

import io.floodgate.topics.queue.QueueConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The ends of queues of the {@link Reference}: which of them there are, and what becomes of the jobs of one that is deleted. */
final class RefEndings {
    private static final int SLICE = 100;
    /** Has its turn among them: all queues are looked at again when the policy of all has changed. */
    private static final String ALL = QueueConfig.DEFAULT;

    /** Of a move room is kept in the target for what has not come yet. */
    private static final class Ending {
        final String strategy;
        final @Nullable String target;
        final long affected;
        long keptJobs;
        long keptBytes;
        /** Only where the target had to know them. */
        final Map<String, Long> keptTenants = new TreeMap<>();

        Ending(String strategy, @Nullable String target, long affected) {
            this.strategy = strategy;
            this.target = target;
            this.affected = affected;
        }

        boolean drains() {
            return strategy.equals("drain");
        }
    }

    private final Reference reference;
    private final Set<String> existing = new TreeSet<>();
    private final Map<String, Ending> endings = new TreeMap<>();
    /** Queues whose jobs are still to be gone through, in the order of their turns. */
    private final List<String> toGoThrough = new ArrayList<>();
    /** How jobs stood in these queues when the last step ended. */
    private final Map<RefJob, String> before = new LinkedHashMap<>();

    RefEndings(Reference reference) {
        this.reference = reference;
    }

    // ---- what there is

    /** The queue is used: from now on it is there. */
    void use(String queue) {
        existing.add(queue);
    }

    boolean exists(String queue) {
        return existing.contains(queue);
    }

    boolean isEnding(String queue) {
        return endings.containsKey(queue);
    }

    /** Its jobs end without being run. */
    boolean endsJobs(String queue) {
        Ending ending = endings.get(queue);
        return ending != null && !ending.drains();
    }

    long keptJobs(String queue) {
        return moves(queue).stream().mapToLong(move -> move.keptJobs).sum();
    }

    long keptBytes(String queue) {
        return moves(queue).stream().mapToLong(move -> move.keptBytes).sum();
    }

    long keptJobs(String queue, String tenant) {
        return moves(queue).stream()
                .mapToLong(move -> move.keptTenants.getOrDefault(tenant, 0L))
                .sum();
    }

    private List<Ending> moves(String target) {
        return endings.values().stream()
                .filter(ending -> target.equals(ending.target))
                .toList();
    }

    // ---- decisions

    String delete(String queue, String strategy, @Nullable String target) {
        if (!exists(queue)) return "rejected NOT_FOUND";
        Ending now = endings.get(queue);
        boolean decides =
                now == null || (now.drains() && List.of("discard", "move").contains(strategy));
        if (!decides) return shown(queue, now);
        long depth = reference.depth(queue);
        if (strategy.equals("reject") && depth > 0) return "rejected CONFLICT";
        if (strategy.equals("move")) {
            String rejection = rejectMove(queue, target, depth);
            if (rejection != null) return rejection;
        }
        Ending ending = new Ending(strategy, strategy.equals("move") ? target : null, depth);
        if (ending.target != null) {
            ending.keptJobs = depth;
            ending.keptBytes = reference.bytes(queue);
            ending.keptTenants.putAll(tenants(queue, ending.target));
        }
        endings.put(queue, ending);
        reference.unpause(queue);
        reference.live(queue).forEach(job -> before.put(job, stand(job)));
        if (!ending.drains() && depth > 0) toGoThrough.add(queue);
        return shown(queue, ending);
    }

    private @Nullable String rejectMove(String queue, @Nullable String target, long depth) {
        if (target == null || target.equals(queue)) return "rejected INVALID_REQUEST";
        if (!exists(target)) return "rejected INVALID_REQUEST";
        if (isEnding(target)) return "rejected CONFLICT";
        boolean allCome = reference.live(queue).allMatch(job -> reference.policies.allows(target, job.wish.type()));
        if (!allCome || (isJudged(target) && keptJobs(queue) > 0)) return "rejected CONFLICT";
        boolean fits = reference.bounds.canTake(target, depth, reference.bytes(queue), tenants(queue, target));
        return depth == 0 || fits ? null : "rejected CONFLICT";
    }

    /** Whether it depends on the jobs of a queue whether they may come into this one. */
    private boolean isJudged(String target) {
        return reference.policies.isRestricted(target) || reference.bounds.countsTenants(target);
    }

    private Map<String, Long> tenants(String queue, String target) {
        Map<String, Long> tenants = new TreeMap<>();
        if (isJudged(target)) reference.live(queue).forEach(job -> tenants.merge(job.wish.tenant(), 1L, Long::sum));
        return tenants;
    }

    private String shown(String queue, Ending ending) {
        boolean isEmpty = reference.depth(queue) == 0 && !reference.bounds.isWaitedFor(queue);
        return "%s %s %s affected %d left %d %s"
                .formatted(
                        queue,
                        ending.strategy,
                        ending.target,
                        ending.affected,
                        reference.depth(queue),
                        isEmpty ? "deleted" : "draining");
    }

    /** The policy of all queues is another one. */
    void lookAtAll() {
        toGoThrough.remove(ALL);
        toGoThrough.add(ALL);
    }

    // ---- what becomes of the jobs

    /**
     * Each tick moves jobs of one queue: those that are ready, in their order, and the others by their ids. A worker
     * that runs a job that is to move goes on.
     */
    void goThroughOne() {
        if (toGoThrough.isEmpty()) return;
        String queue = toGoThrough.removeFirst();
        if (queue.equals(ALL)) return;
        List<RefJob> ready = reference
                .live(queue)
                .filter(job -> job.is("available") && !reference.order.isHeld(job))
                .sorted(Comparator.comparingInt((RefJob job) -> -job.priority).thenComparingLong(job -> job.rank))
                .limit(SLICE)
                .toList();
        ready.forEach(this::end);
        if (ready.size() == SLICE) toGoThrough.add(queue);
        else
            reference
                    .live(queue)
                    .filter(job -> !job.is("active") || strategy(queue).equals("discard"))
                    .sorted(Comparator.comparing((RefJob job) -> job.id))
                    .toList()
                    .forEach(this::end);
        boolean canFollow = strategy(queue).equals("move")
                && reference.live(queue).anyMatch(job -> job.is("available") && !reference.order.isHeld(job));
        if (canFollow && !toGoThrough.contains(queue)) toGoThrough.add(queue);
    }

    /** What has come back in this step, from a worker mostly, ends with it. */
    void follow() {
        for (String queue : List.copyOf(endings.keySet())) {
            if (!endsJobs(queue)) continue;
            boolean othersToo = toGoThrough.contains(queue);
            for (RefJob job : reference.live(queue).toList()) {
                boolean isToEnd = !stand(job).equals(before.put(job, stand(job)));
                boolean comesLater = othersToo && (job.is("available") || !isToEnd);
                if (!job.is("active") && !comesLater) end(job);
            }
        }
    }

    private String strategy(String queue) {
        Ending ending = endings.get(queue);
        return ending == null ? "" : ending.strategy;
    }

    private String stand(RefJob job) {
        boolean isHeld = reference.order.isHeld(job);
        return "%s %s %d %d %s".formatted(job.queue, job.state(), job.lease, job.priority, isHeld);
    }

    private void end(RefJob job) {
        Ending ending = endings.get(job.queue);
        if (ending == null) return;
        if (ending.target == null) {
            reference.dismiss(job);
        } else if (!reference.order.isHeld(job)) {
            ending.keptJobs--;
            ending.keptBytes -= job.bytes;
            ending.keptTenants.computeIfPresent(job.wish.tenant(), (tenant, kept) -> kept == 1 ? null : kept - 1);
            reference.moveTo(ending.target, job);
        }
    }

    /** At the end of a step: what has nothing unfinished left is gone. Whether something is, which may have freed room. */
    boolean finish() {
        boolean isAnyGone = false;
        for (String queue : List.copyOf(endings.keySet())) {
            if (reference.depth(queue) > 0 || reference.bounds.isWaitedFor(queue) || toGoThrough.contains(queue))
                continue;
            isAnyGone = true;
            endings.remove(queue);
            existing.remove(queue);
            reference.turns.forget(queue);
            reference.order.forget(queue);
            reference.bounds.decide(queue, RefBounds.Bound.NONE);
            var unused = reference.policies.decide(queue, RefPolicies.Policy.NONE);
        }
        before.keySet().removeIf(job -> !isEnding(job.queue));
        return isAnyGone;
    }
}
