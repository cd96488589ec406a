package io.floodgate.processor.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The bounds of the {@link Reference}: how many jobs a queue may hold, and who waits for room. Bytes it knows nothing of. */
final class RefBounds {
    private static final String FULL = "refused QUEUE_FULL";

    /** @param depth zero for none */
    record Bound(long depth, String strategy) {
        static final Bound NONE = new Bound(0, "reject");
    }

    /**
     * Jobs that are offered together.
     *
     * @param number of the question, in the order in which they come; its place in line, should it have to wait
     * @param single not a batch
     * @param until it waits at most; it does not if that is now
     */
    record Offer(long number, List<Submission> jobs, boolean single, long until) {}

    private record Blocked(Offer offer, String queue, long jobs) {}

    private final Reference reference;
    private final Map<String, Bound> bounds = new TreeMap<>();
    private final List<Blocked> line = new ArrayList<>();

    RefBounds(Reference reference) {
        this.reference = reference;
    }

    void decide(String queue, Bound bound) {
        bounds.put(queue, bound);
    }

    private Bound of(String queue) {
        return bounds.getOrDefault(queue, Bound.NONE);
    }

    private long missing(String queue, long jobs) {
        long bound = of(queue).depth;
        return bound == 0 ? 0 : Math.max(0, reference.depth(queue) + jobs - bound);
    }

    private Optional<Blocked> first(String queue) {
        return line.stream()
                .filter(blocked -> blocked.queue.equals(queue))
                .min(Comparator.comparingLong(blocked -> blocked.offer.number));
    }

    /** Makes room for all of it. What it is refused with, or nothing; and it waits if its answer is {@link #LATER}. */
    @Nullable
    String makeRoom(Offer offer) {
        Map<String, Long> demands = new LinkedHashMap<>();
        offer.jobs.forEach(job -> demands.merge(job.queue(), 1L, Long::sum));
        List<RefJob> victims = new ArrayList<>();
        String waitsAt = null;
        for (Map.Entry<String, Long> demand : demands.entrySet()) {
            String queue = demand.getKey();
            boolean othersFirst = first(queue)
                    .filter(blocked -> blocked.offer.number < offer.number)
                    .isPresent();
            long missing = missing(queue, demand.getValue());
            if (missing == 0 && !othersFirst) continue;
            switch (of(queue).strategy) {
                case "drop_oldest" -> {
                    List<RefJob> some = leastUrgent(queue, missing);
                    if (some.size() < missing) return FULL;
                    victims.addAll(some);
                }
                case "block" -> {
                    if (offer.until <= reference.now()) return FULL;
                    if (waitsAt == null) waitsAt = queue;
                }
                default -> {
                    return FULL;
                }
            }
        }
        if (waitsAt != null) {
            line.add(new Blocked(offer, waitsAt, demands.getOrDefault(waitsAt, 0L)));
            return LATER;
        }
        victims.forEach(reference::drop);
        return null;
    }

    /** It is in line, and answered later. */
    static final String LATER = "later";

    private List<RefJob> leastUrgent(String queue, long count) {
        return reference.jobs.stream()
                .filter(job -> job.is("available") && job.queue.equals(queue))
                .sorted(Comparator.comparingInt((RefJob job) -> job.wish.priority())
                        .thenComparingLong(job -> job.rank))
                .limit(count)
                .toList();
    }

    /** Whoever is first in a line and has room by now, or need not wait there any more; it is out of the line. */
    @Nullable
    Offer next() {
        for (String queue : bounds.keySet()) {
            Blocked first = first(queue).orElse(null);
            if (first == null) continue;
            if (missing(queue, first.jobs) > 0 && !of(queue).strategy.equals("drop_oldest")) continue;
            line.remove(first);
            return first.offer;
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
