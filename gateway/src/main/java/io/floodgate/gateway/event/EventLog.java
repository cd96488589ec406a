package io.floodgate.gateway.event;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The newest events, as many as fit a bound, and those who want to hear of further ones. Whoever reads more slowly than
 * events come loses some, and is told how many; nobody waits for a reader.
 */
public final class EventLog {
    /** One page of events; with a cursor from which to ask on. */
    record Page(List<Event> events, boolean hasMore) {}

    private final int maxEvents;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Event> events = new ArrayDeque<>();
    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
    private long bytes;

    public EventLog(int maxEvents, long maxBytes) {
        this.maxEvents = maxEvents;
        this.maxBytes = maxBytes;
    }

    public void add(List<Event> fresh) {
        lock.lock();
        try {
            for (Event event : fresh) {
                events.addLast(event);
                bytes += event.json().length;
                for (Subscriber subscriber : subscribers) subscriber.offer(event);
            }
            while (events.size() > maxEvents || (bytes > maxBytes && !events.isEmpty()))
                bytes -= events.removeFirst().json().length;
        } finally {
            lock.unlock();
        }
    }

    public void clear() {
        lock.lock();
        try {
            events.clear();
            bytes = 0;
        } finally {
            lock.unlock();
        }
    }

    /** The oldest {@code limit} matching events after this one; without it, the newest. */
    Page page(EventFilter filter, @Nullable String after, int limit) {
        lock.lock();
        try {
            if (after == null && filter.since() == null) return newest(filter, limit);
            List<Event> page = new ArrayList<>();
            for (Event event : following(after)) {
                if (!filter.lets(event)) continue;
                if (page.size() == limit) return new Page(page, true);
                page.add(event);
            }
            return new Page(page, false);
        } finally {
            lock.unlock();
        }
    }

    private Page newest(EventFilter filter, int limit) {
        Deque<Event> page = new ArrayDeque<>();
        Iterator<Event> backwards = events.descendingIterator();
        while (backwards.hasNext() && page.size() < limit) {
            Event event = backwards.next();
            if (filter.lets(event)) page.addFirst(event);
        }
        return new Page(List.copyOf(page), false);
    }

    /** Events after the one with this id; all that are left if that one is gone already. */
    private List<Event> following(@Nullable String after) {
        List<Event> following = new ArrayList<>();
        Iterator<Event> backwards = events.descendingIterator();
        while (backwards.hasNext()) {
            Event event = backwards.next();
            if (event.id().equals(after)) break;
            following.add(event);
        }
        return following.reversed();
    }

    /** From now on, and, if asked so, from the event with this id on. */
    Subscriber subscribe(EventFilter filter, @Nullable String after) {
        lock.lock();
        try {
            Subscriber subscriber = new Subscriber(filter);
            if (after != null) following(after).forEach(subscriber::offer);
            subscribers.add(subscriber);
            return subscriber;
        } finally {
            lock.unlock();
        }
    }

    void unsubscribe(Subscriber subscriber) {
        subscribers.remove(subscriber);
    }

    public int subscribers() {
        return subscribers.size();
    }

    /** How many events did not reach a subscriber because it was too slow. */
    public long dropped() {
        return Subscriber.DROPPED.sum();
    }

    /** Ends all streams. */
    public void close() {
        subscribers.forEach(Subscriber::end);
    }
}
