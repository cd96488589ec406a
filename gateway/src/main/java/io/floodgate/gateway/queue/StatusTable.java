package io.floodgate.gateway.queue;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.topics.json.MemberWalk;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The latest status of every queue, as far as this gateway has heard; of the queues beyond a bound, those that changed last.
 *
 * <p>Statuses come from the topic, in order, and with replies, which overtake it. A reply about a queue that is deleted by
 * now must not bring it back: so much is remembered of the queues that went last.
 */
public final class StatusTable {
    private static final int REMEMBERED = 10_000;

    private final int most;
    private final CapacityCache doors;
    private final ConcurrentNavigableMap<String, PublishedStatus> byName = new ConcurrentSkipListMap<>();
    /** The names in the order in which they changed, the last one at the end. */
    private final Map<String, Boolean> byChange = new LinkedHashMap<>();
    /** Latest versions of queues that are gone. */
    private final Map<String, Long> gone = new LinkedHashMap<>();

    /**
     * @param most how many queues are listed
     * @param doors the cache of their capacity, which gets every status
     */
    public StatusTable(int most, CapacityCache doors) {
        this.most = most;
        this.doors = doors;
    }

    /** A log has published it. */
    synchronized void published(PublishedStatus status) {
        if (!status.known()) return;
        // What comes after the end of a queue is another queue of that name, with versions of its own.
        gone.remove(status.name());
        doors.published(status.name(), status.room(), status.gates());
        put(status);
    }

    /** A log has answered with it. */
    synchronized void answered(PublishedStatus status) {
        if (!status.known() || status.version() <= gone.getOrDefault(status.name(), -1L)) return;
        doors.answered(status.name(), status.room(), status.gates());
        put(status);
    }

    /** Notes that the policy of all queues has changed, which their statuses show only after a while. */
    void defaultsChanged() {
        doors.defaultsChanged();
    }

    private void put(PublishedStatus status) {
        PublishedStatus old = byName.get(status.name());
        if (old != null && old.version() > status.version()) return;
        byName.put(status.name(), status);
        byChange.remove(status.name());
        byChange.put(status.name(), true);
        if (byName.size() > most) forget(byChange.keySet().iterator().next());
    }

    private void forget(String name) {
        byName.remove(name);
        byChange.remove(name);
    }

    synchronized void removed(String name) {
        PublishedStatus last = byName.get(name);
        forget(name);
        doors.forget(name);
        gone.remove(name);
        gone.put(name, last == null ? 0 : last.version());
        if (gone.size() > REMEMBERED) gone.remove(gone.keySet().iterator().next());
    }

    public synchronized void clear() {
        byName.clear();
        byChange.clear();
        gone.clear();
        doors.clear();
    }

    /** Null if it is not known. */
    @Nullable
    public PublishedStatus find(String queue) {
        return byName.get(queue);
    }

    public int size() {
        return byName.size();
    }

    /** A figure of one queue; 0 if it is not known. */
    public long number(String queue, String figure) {
        PublishedStatus status = byName.get(queue);
        return status == null ? 0 : status.number(figure);
    }

    /** A figure of all queues together. */
    public long sum(String figure) {
        return byName.values().stream()
                .mapToLong(status -> status.number(figure))
                .sum();
    }

    /** Several of them, each status being read once; in the order in which they are asked for. */
    public Map<String, Long> sums(List<String> figures) {
        Map<String, Long> sums = new LinkedHashMap<>();
        figures.forEach(figure -> sums.put(figure, 0L));
        for (PublishedStatus status : byName.values()) {
            MemberWalk members = new MemberWalk(status.json());
            while (members.next())
                sums.computeIfPresent(members.name(), (figure, sum) -> sum + Long.parseLong(members.text()));
        }
        return sums;
    }

    boolean has(String queue) {
        return byName.containsKey(queue);
    }

    void forEach(Consumer<PublishedStatus> action) {
        byName.values().forEach(action);
    }

    public long count(Predicate<PublishedStatus> wanted) {
        return byName.values().stream().filter(wanted).count();
    }

    /** The first of those for which it holds in an order; where there are no more than that, in the order of their names. */
    public List<PublishedStatus> first(
            Predicate<PublishedStatus> wanted, Comparator<PublishedStatus> order, int limit) {
        List<PublishedStatus> found = byName.values().stream().filter(wanted).toList();
        return found.size() <= limit
                ? found
                : found.stream().sorted(order).limit(limit).toList();
    }

    /** Returns queues in the order of their names. */
    public List<PublishedStatus> page(int offset, int limit) {
        return page(name -> true, offset, limit);
    }

    /** The same of some queues. */
    public List<PublishedStatus> page(Predicate<String> wanted, int offset, int limit) {
        return byName.values().stream()
                .filter(status -> wanted.test(status.name()))
                .skip(offset)
                .limit(limit)
                .toList();
    }
}
