package io.floodgate.processor.simulation;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The turns of tenants of the {@link Reference}: after every change it looks through all jobs for tenants that wait and have no
 * turn, and for turns of tenants that do not wait.
 */
final class RefTurns {
    /** Weights must divide it. */
    private static final long ROUND = 720_720;

    /** @param weights by tenant, 1 for others; none of them unless it is on */
    record Fairness(boolean isOn, Map<String, Long> weights) {
        static final Fairness OFF = new Fairness(false, Map.of());
    }

    private record Place(String queue, int priority) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int order = queue.compareTo(other.queue);
            return order != 0 ? order : Integer.compare(priority, other.priority);
        }
    }

    private final Reference reference;
    private final Map<String, Fairness> decided = new TreeMap<>();
    /** Queues that have turns: also those where they make no difference any more, until nothing is available there. */
    private final TreeSet<String> kept = new TreeSet<>();

    private final Map<Place, Long> times = new TreeMap<>();
    private final Map<Place, Map<String, Long>> turns = new TreeMap<>();

    RefTurns(Reference reference) {
        this.reference = reference;
    }

    private Fairness of(String queue) {
        return decided.getOrDefault(queue, Fairness.OFF);
    }

    /** @param isCounted the queue bounds its tenants */
    void decide(String queue, Fairness fairness, boolean isCounted) {
        decided.put(queue, fairness);
        follow(queue, isCounted);
    }

    void follow(String queue, boolean isCounted) {
        if (of(queue).isOn) kept.add(queue);
        else if (!isCounted && available(queue).isEmpty()) kept.remove(queue);
        look();
    }

    /** A fetch by tenant has come to jobs of the queue. */
    void sort(String queue) {
        if (available(queue).isEmpty() || !kept.add(queue)) return;
        look();
    }

    /** The queue is deleted. */
    void forget(String queue) {
        decided.remove(queue);
        kept.remove(queue);
        look();
    }

    private List<RefJob> available(String queue) {
        return reference.jobs.stream()
                .filter(job -> job.is("available") && job.queue.equals(queue))
                .toList();
    }

    /** Something has changed. */
    void look() {
        Map<Place, TreeSet<String>> waiting = new TreeMap<>();
        for (String queue : kept)
            for (RefJob job : available(queue))
                waiting.computeIfAbsent(new Place(queue, job.priority), place -> new TreeSet<>())
                        .add(job.wish.tenant());
        times.keySet().retainAll(waiting.keySet());
        turns.keySet().retainAll(waiting.keySet());
        waiting.forEach((place, tenants) -> {
            Map<String, Long> own = turns.computeIfAbsent(place, any -> new TreeMap<>());
            own.keySet().retainAll(tenants);
            for (String tenant : tenants) own.computeIfAbsent(tenant, any -> time(place) + step(place, tenant));
        });
    }

    private long time(Place place) {
        return times.getOrDefault(place, 0L);
    }

    private long step(Place place, String tenant) {
        return ROUND / of(place.queue).weights.getOrDefault(tenant, 1L);
    }

    /** What the job's place in the order goes by, before its rank. */
    long turn(RefJob job) {
        if (!of(job.queue).isOn) return 0;
        return turns.get(new Place(job.queue, job.priority)).get(job.wish.tenant());
    }

    /** It starts; it is still available. */
    void start(RefJob job) {
        if (!of(job.queue).isOn) return;
        Place place = new Place(job.queue, job.priority);
        times.put(place, Math.max(time(place), turn(job)));
        turns.get(place).put(job.wish.tenant(), time(place) + step(place, job.wish.tenant()));
    }
}
