package io.floodgate.gateway.event;

import io.floodgate.topics.event.OjsEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The newest events, as many as fit a bound. Readers pull the events that they have not seen yet. Writers do not wait
 * for readers; a reader that is too slow learns how many events it has lost.
 *
 * <pre>
 *   gone │ first ······ position of a reader ······ end │ to come
 * </pre>
 */
public final class EventLog {
    /**
     * One page of events.
     *
     * @param cursor from where to ask on
     * @param hasMore whether there are more after them
     * @param missed the most events that were dropped before they could be shown
     * @param total how many match in all, if they were counted
     */
    record Page(
            List<OjsEvent> events,
            EventCursor cursor,
            boolean hasMore,
            long missed,
            @Nullable Integer total) {}

    /** The events at a reader's position, and its position after them. */
    record Batch(List<OjsEvent> events, long position, long lost) {}

    /** Everything there is at one moment. */
    record Snapshot(List<OjsEvent> events, EventCursor gone, EventCursor end, long position) {}

    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final @Nullable OjsEvent[] ring;
    private final JobWatches watches = new JobWatches();
    private final LongAdder lost = new LongAdder();
    private long first;
    private long end;
    private long bytes;
    /** Below these offsets nothing is here, because it was too old, or is too old by now. */
    private final EventCursor gone = EventCursor.beginning();

    private final EventCursor read = EventCursor.beginning();
    private volatile boolean closed;

    public EventLog(int maxEvents, long maxBytes) {
        this.maxBytes = maxBytes;
        ring = new OjsEvent[maxEvents];
    }

    JobWatches watches() {
        return watches;
    }

    /** A future that ends when something happens to this job. */
    public JobWatches.Watch watch(String job) {
        return watches.watch(job);
    }

    /** The partition will be read from this offset on. */
    void begin(int partition, long offset) {
        lock.lock();
        try {
            gone.moveTo(partition, offset);
            read.moveTo(partition, offset);
        } finally {
            lock.unlock();
        }
    }

    void add(List<OjsEvent> fresh) {
        lock.lock();
        try {
            for (OjsEvent event : fresh) {
                if (end - first == ring.length) dropOldest();
                ring[slot(end++)] = event;
                bytes += event.json().length;
                while (bytes > maxBytes) dropOldest();
            }
            if (!fresh.isEmpty()) read.moveBehind(fresh.getLast());
            more.signalAll();
        } finally {
            lock.unlock();
        }
        watches.happened(fresh);
    }

    private void dropOldest() {
        OjsEvent oldest = at(first);
        ring[slot(first++)] = null;
        bytes -= oldest.json().length;
        gone.moveBehind(oldest);
    }

    private int slot(long position) {
        return (int) (position % ring.length);
    }

    private OjsEvent at(long position) {
        OjsEvent event = ring[slot(position)];
        if (event == null) throw new IllegalStateException("there is no event at " + position);
        return event;
    }

    public void clear() {
        lock.lock();
        try {
            while (first < end) dropOldest();
        } finally {
            lock.unlock();
        }
    }

    Snapshot snapshot() {
        lock.lock();
        try {
            return new Snapshot(range(first, end), gone.copy(), read.copy(), end);
        } finally {
            lock.unlock();
        }
    }

    /** Everything there is, the oldest first. */
    public List<OjsEvent> all() {
        return snapshot().events;
    }

    private List<OjsEvent> range(long from, long to) {
        OjsEvent[] events = new OjsEvent[(int) (to - from)];
        for (int i = 0; i < events.length; i++) events[i] = at(from + i);
        return Arrays.asList(events);
    }

    /** Returns the events after this position; waits for a while if there are none. */
    Batch await(long position, int most, Duration patience) throws InterruptedException {
        long nanos = patience.toNanos();
        lock.lock();
        try {
            while (end <= position && !closed && nanos > 0) nanos = more.awaitNanos(nanos);
            long from = Math.max(position, first);
            long missed = from - position;
            lost.add(missed);
            long to = Math.min(end, from + most);
            return to <= from ? new Batch(List.of(), from, missed) : new Batch(range(from, to), to, missed);
        } finally {
            lock.unlock();
        }
    }

    /** The newest matching events but for {@code offset} of them, the oldest of them first. */
    Page newest(EventFilter filter, int offset, int limit) {
        Snapshot now = snapshot();
        List<OjsEvent> page = new ArrayList<>();
        int matching = 0;
        for (OjsEvent event : now.events.reversed()) {
            if (!filter.lets(event)) continue;
            if (matching >= offset && page.size() < limit) page.add(event);
            matching++;
        }
        Collections.reverse(page);
        return new Page(page, now.end, false, 0, matching);
    }

    /** The oldest matching events from there on. */
    Page after(EventCursor cursor, EventFilter filter, int limit) {
        Snapshot now = snapshot();
        long missed = cursor.partitions() == 0 ? 0 : cursor.behind(now.gone);
        List<OjsEvent> page = new ArrayList<>();
        EventCursor next = cursor.orLater(now.gone);
        for (OjsEvent event : now.events) {
            if (!cursor.isBefore(event)) continue;
            if (filter.lets(event)) {
                if (page.size() == limit) return new Page(page, next, true, missed, null);
                page.add(event);
            }
            next.moveBehind(event);
        }
        return new Page(page, next.orLater(now.end), false, missed, null);
    }

    /** Returns the position of a reader whose last event had this id, as this gateway has seen it. */
    Optional<EventCursor> cursorAfter(String eventId) {
        Snapshot now = snapshot();
        EventCursor cursor = now.gone.copy();
        for (OjsEvent event : now.events) {
            cursor.moveBehind(event);
            if (event.id().equals(eventId)) return Optional.of(cursor);
        }
        return Optional.empty();
    }

    /** Returns how many events did not reach a stream because it was too slow. */
    public double lost() {
        return lost.doubleValue();
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends all streams. */
    public void close() {
        closed = true;
        lock.lock();
        try {
            more.signalAll();
        } finally {
            lock.unlock();
        }
        watches.close();
    }
}
