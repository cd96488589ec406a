package io.floodgate.processor.queue.state;

import io.floodgate.topics.JobId;
import io.floodgate.topics.limit.OnLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The available jobs of a queue that have a rate limit, a lane for each priority and key. The heads of the lanes are in
 * lines, so that a key that is held back costs nothing however many jobs it has:
 *
 * <pre>
 *   stocked   there are permits for them: these can start, in order
 *   open      nobody has asked yet: they are asked for when a worker comes to them
 *   asked     asked for: what comes later in order waits a moment for the answer
 *   out       known to be held back, or nobody answers: out of the race until that changes
 * </pre>
 */
public final class Lanes {
    private static final JobId FIRST = new JobId(0, 0);

    public final String queue;
    private final EnumMap<Desk.Standing, NavigableMap<Lane.Head, Lane>> lines = new EnumMap<>(Desk.Standing.class);
    /** Of those that are out, the ones whose jobs do not want to wait. */
    private final NavigableMap<Lane.Head, Lane> impatient = new TreeMap<>();

    private int size;

    Lanes(String queue) {
        this.queue = queue;
        for (Desk.Standing standing : Desk.Standing.values()) lines.put(standing, new TreeMap<>());
    }

    boolean add(Standing job, Desk desk, OnLimit onLimit) {
        Lane.Name name = new Lane.Name(queue, job.priority(), onLimit);
        Lane lane = desk.lane(name);
        if (lane == null) {
            lane = new Lane(name, desk, this);
            lane.standing = desk.standingIn(queue);
            desk.enter(lane);
        }
        if (!lane.jobs.add(job.number(), job.id())) return false;
        size++;
        place(lane, lane.standing);
        return true;
    }

    boolean remove(Standing job, Desk desk, OnLimit onLimit) {
        Lane lane = desk.lane(new Lane.Name(queue, job.priority(), onLimit));
        if (lane == null || !lane.jobs.remove(job.number(), job.id())) return false;
        size--;
        place(lane, lane.standing);
        if (lane.jobs.isEmpty()) desk.leave(lane);
        return true;
    }

    /** Puts the lane's head where it belongs now. */
    void place(Lane lane, Desk.Standing standing) {
        if (lane.head != null) {
            line(lane.standing).remove(lane.head);
            impatient.remove(lane.head);
        }
        lane.standing = standing;
        lane.head = lane.first();
        if (lane.head == null) return;
        line(standing).put(lane.head, lane);
        if (standing == Desk.Standing.OUT && lane.name.onLimit() != OnLimit.WAIT) impatient.put(lane.head, lane);
    }

    private NavigableMap<Lane.Head, Lane> line(Desk.Standing standing) {
        NavigableMap<Lane.Head, Lane> line = lines.get(standing);
        if (line == null) throw new IllegalStateException("no line for " + standing);
        return line;
    }

    /** The first job that is wanted in those lanes, and its lane; null when there is none. */
    public Map.@Nullable Entry<Lane.Head, Lane> first(Desk.Standing standing, Wanted wanted) {
        Map.Entry<Lane.Head, Lane> first = null;
        for (Map.Entry<Lane.Head, Lane> each : line(standing).entrySet()) {
            if (first != null && first.getKey().compareTo(each.getKey()) < 0) break;
            Lane.Head own = wanted.isAll() ? each.getKey() : each.getValue().first(wanted);
            if (own != null && (first == null || own.compareTo(first.getKey()) < 0))
                first = Map.entry(own, each.getValue());
        }
        return first;
    }

    /** Of the jobs with this priority, the one that came first. */
    Lane.@Nullable Head oldest(int priority) {
        Lane.Head begin = begin(priority);
        Lane.Head oldest = null;
        for (NavigableMap<Lane.Head, Lane> line : lines.values()) {
            Lane.Head first = line.ceilingKey(begin);
            if (first == null || first.priority() != priority) continue;
            if (oldest == null || first.number() < oldest.number()) oldest = first;
        }
        return oldest;
    }

    /** The first so many of those lanes. */
    public List<Lane> first(Desk.Standing standing, int most) {
        return line(standing).values().stream().limit(most).toList();
    }

    boolean has(Desk.Standing standing) {
        return !line(standing).isEmpty();
    }

    /**
     * Lanes that are held back and whose jobs do not want to wait.
     *
     * @param before the first of them comes before this one; null for all
     */
    public List<Lane> impatient(int most, Lane.@Nullable Head before) {
        List<Lane> some = new ArrayList<>();
        for (Lane lane : (before == null ? impatient : impatient.headMap(before, false)).values()) {
            if (some.size() == most) break;
            if (lane.desk.heldIn(queue) != null) some.add(lane);
        }
        return some;
    }

    /**
     * The jobs of a priority in order, with those of another line between them; until the visitor has seen enough. Of each lane
     * nothing is looked at before the first of its jobs has its turn.
     */
    boolean visit(int priority, @Nullable ReadyLine others, Predicate<JobId> visitor) {
        PriorityQueue<Next> next = new PriorityQueue<>(Comparator.comparingLong(Next::number));
        for (NavigableMap<Lane.Head, Lane> line : lines.values()) addHead(line, begin(priority), next);
        if (others != null) addJob(others, Long.MIN_VALUE, next);
        for (Next first = next.poll(); first != null; first = next.poll()) {
            if (!visitor.test(first.job)) return false;
            addJob(first.jobs, first.number + 1, next);
            if (first.line != null) addHead(first.line, new Lane.Head(priority, first.number, first.job), next);
        }
        return true;
    }

    /**
     * The next job of one of several lines.
     *
     * @param jobs where the one after it is
     * @param line of whose heads it is one; null if it is none
     */
    private record Next(
            long number,
            JobId job,
            ReadyLine jobs,
            @Nullable NavigableMap<Lane.Head, Lane> line) {}

    private static Lane.Head begin(int priority) {
        return new Lane.Head(priority, Long.MIN_VALUE, FIRST);
    }

    private static void addHead(NavigableMap<Lane.Head, Lane> line, Lane.Head after, PriorityQueue<Next> next) {
        Map.Entry<Lane.Head, Lane> head = line.higherEntry(after);
        if (head == null || head.getKey().priority() != after.priority()) return;
        next.add(new Next(head.getKey().number(), head.getKey().job(), head.getValue().jobs, line));
    }

    private static void addJob(ReadyLine jobs, long from, PriorityQueue<Next> next) {
        jobs.visitFrom(from, (number, job) -> {
            next.add(new Next(number, job, jobs, null));
            return false;
        });
    }

    /** The lane that the job is in, and its rank: a search through all of them. */
    @Nullable
    Standing find(JobId job, Queue in, @Nullable String tenant) {
        for (NavigableMap<Lane.Head, Lane> line : lines.values()) {
            for (Lane lane : line.values()) {
                Long number = lane.jobs.numberOf(job);
                if (number == null) continue;
                var limited = new Standing.Limited(lane.desk.key, lane.name.onLimit(), false, false);
                return Standing.ready(job, in, lane.name.priority(), number, tenant, limited);
            }
        }
        return null;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }
}
