package io.floodgate.outbox;

import io.floodgate.outbox.Delivery.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which queues are under way or rest, and whose rows are not read meanwhile. So a full queue keeps its rows in the table,
 * and costs neither memory nor the others' time.
 */
final class OutboxQueues {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxQueues.class);
    private static final Duration FIRST_REST = Duration.ofMillis(100);
    private static final Duration LONGEST_REST = Duration.ofSeconds(5);
    private static final int MOST_DOUBLINGS = 10;
    /** After its rest, a queue without rows is forgotten. */
    private static final Duration MEMORY = Duration.ofMinutes(1);

    /** @param size of the rows that are under way; 0 while it rests */
    private record Turn(long size, int failures, long restsUntil) {
        boolean isUnderWay() {
            return size > 0;
        }
    }

    private final Map<String, Turn> turns = new HashMap<>();
    private final List<Delivery> ended = new ArrayList<>();
    private final Semaphore news = new Semaphore(0);
    private long underWay;

    /** Begins to send rows, and returns how often the queue was held in a row. */
    synchronized int begin(String queue, long size) {
        Turn before = turns.get(queue);
        int failures = before == null ? 0 : before.failures;
        turns.put(queue, new Turn(Math.max(1, size), failures, 0));
        underWay += Math.max(1, size);
        return failures;
    }

    /** @param mayBeMore whether rows are likely to wait, so that there is no time to lose */
    synchronized void end(Delivery delivery, boolean mayBeMore) {
        ended.add(delivery);
        if (mayBeMore) wake();
    }

    /** Returns the deliveries that have ended and of which the table does not know yet. */
    synchronized List<Delivery> ended() {
        return List.copyOf(ended);
    }

    /** Lets these queues be read again, since the table knows what was delivered, once they have rested. */
    synchronized void settle(List<Delivery> deliveries) {
        ended.removeAll(deliveries);
        for (Delivery delivery : deliveries) {
            Turn turn = turns.remove(delivery.queue());
            if (turn == null) throw new IllegalStateException("queue '%s' had no turn".formatted(delivery.queue()));
            underWay -= turn.size;
            Held held = delivery.held();
            if (held != null) rest(delivery, held, delivery.enqueued().isEmpty() ? turn.failures : 0);
        }
    }

    private void rest(Delivery delivery, Held held, int failures) {
        Duration rest = FIRST_REST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
        if (rest.compareTo(held.asked()) < 0) rest = held.asked();
        // A queue may be asked sooner than it says, by the only one who asks: it may be empty by then.
        if (rest.compareTo(LONGEST_REST) > 0) rest = LONGEST_REST;
        if (failures == 0)
            LOG.warn(
                    "Rows of queue '{}' wait in the outbox ({}): {} They are tried again, first in {} ms.",
                    delivery.queue(),
                    held.code(),
                    held.message(),
                    rest.toMillis());
        turns.put(delivery.queue(), new Turn(0, failures + 1, System.nanoTime() + rest.toNanos()));
    }

    /** Returns the queues that are not to be read now. */
    synchronized List<String> taken() {
        long now = System.nanoTime();
        turns.values().removeIf(turn -> !turn.isUnderWay() && now - turn.restsUntil > MEMORY.toNanos());
        return turns.entrySet().stream()
                .filter(each -> each.getValue().isUnderWay() || each.getValue().restsUntil - now > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns how many queues were held at their last turn. */
    synchronized int held() {
        return (int) turns.values().stream().filter(turn -> turn.failures > 0).count();
    }

    /** Returns the size of the rows in memory. */
    synchronized long underWay() {
        return underWay;
    }

    /** Waits until a queue may have more rows, or the reader is closed; at most this long. */
    void await(Duration most) throws InterruptedException {
        if (news.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS)) news.drainPermits();
    }

    void wake() {
        news.release();
    }
}
