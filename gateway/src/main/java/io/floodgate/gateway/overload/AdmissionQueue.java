package io.floodgate.gateway.overload;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Who waits at the door of one partition until there is a place among the commands before it. Places go round the sources (keys,
 * or else addresses), one each, and those of a source round its tenants or queues. When too many wait, the newest is sent away
 * of the source with most of them, and within it of the part with most. So a source that floods waits behind itself, and is rejected
 * instead of the others, however many tenants and queues it names.
 *
 * <pre>
 *   key one    acme  ▓▓▓▓▓▓▓▓▓▓▓ ─┐
 *              other ▓ ───────────┴┐
 *   key two    acme  ▓▓ ───────────┴──▶ places (an {@link AdaptiveLimit}) ──▶ the partition
 * </pre>
 */
final class AdmissionQueue {
    /** The right to have a command before the partition; to be given back. */
    static final class Place {
        /** Ticket for a partition that has no wait queue. */
        static final Place NONE = new Place(0, 0, 0);

        private final int weight;
        private final long taken;
        private final int inFlight;

        private Place(int weight, long taken, int inFlight) {
            this.weight = weight;
            this.taken = taken;
            this.inFlight = inFlight;
        }
    }

    /**
     * The source of new jobs.
     *
     * @param who has sent them, as only the server can say
     * @param part a tenant or a queue, as the sender says
     */
    record Source(String who, String part) {}

    private record Waiting(Source source, int weight, CompletableFuture<Optional<Place>> turn) {}

    /** The waiting requests of one source. The next part is the first. */
    private static final class OfSource {
        private final Map<String, Deque<Waiting>> parts = new LinkedHashMap<>();
        private int size;

        void add(Waiting one) {
            parts.computeIfAbsent(one.source.part, part -> new ArrayDeque<>()).addLast(one);
            size++;
        }

        Waiting first() {
            return parts.values().iterator().next().getFirst();
        }

        void removeFirst() {
            String part = parts.keySet().iterator().next();
            Deque<Waiting> own = Objects.requireNonNull(parts.remove(part));
            own.removeFirst();
            size--;
            if (!own.isEmpty()) parts.put(part, own);
        }

        Waiting removeLastOfLongest() {
            Deque<Waiting> longest = parts.values().stream()
                    .max(Comparator.comparingInt(Deque::size))
                    .orElseThrow();
            Waiting last = longest.removeLast();
            size--;
            if (longest.isEmpty()) parts.remove(last.source.part);
            return last;
        }

        /** Returns how many there were. */
        int removeDone(String part) {
            Deque<Waiting> own = parts.get(part);
            if (own == null) return 0;
            int before = own.size();
            own.removeIf(each -> each.turn.isDone());
            int gone = before - own.size();
            size -= gone;
            if (own.isEmpty()) parts.remove(part);
            return gone;
        }
    }

    private final AdaptiveLimit limit;
    private final int mostWaiting;
    private final LongSupplier nanos;
    /** The next source is the first. */
    private final Map<String, OfSource> sources = new LinkedHashMap<>();

    private int inFlight;
    private int waiting;

    AdmissionQueue(AdaptiveLimit limit, int mostWaiting, LongSupplier nanos) {
        this.limit = limit;
        this.mostWaiting = mostWaiting;
        this.nanos = nanos;
    }

    /** A place, at once or later; none for a request that is sent away. */
    CompletableFuture<Optional<Place>> enter(Source source, int weight) {
        CompletableFuture<Optional<Place>> turn = new CompletableFuture<>();
        Waiting sentAway = null;
        synchronized (this) {
            if (waiting == 0 && hasPlace(weight)) {
                turn.complete(Optional.of(take(weight)));
                return turn;
            }
            sources.computeIfAbsent(source.who, who -> new OfSource()).add(new Waiting(source, weight, turn));
            if (++waiting > Channels.FULL * mostWaiting) sentAway = sendAway();
        }
        if (sentAway != null) sentAway.turn.complete(Optional.empty());
        return turn;
    }

    /** One can always go, however much it weighs. */
    private boolean hasPlace(int weight) {
        return inFlight == 0 || inFlight + weight <= limit.limit();
    }

    private Place take(int weight) {
        inFlight += weight;
        return new Place(weight, nanos.getAsLong(), inFlight);
    }

    private Waiting sendAway() {
        OfSource longest = sources.values().stream()
                .max(Comparator.comparingInt(of -> of.size))
                .orElseThrow();
        Waiting last = longest.removeLastOfLongest();
        waiting--;
        if (longest.size == 0) sources.remove(last.source.who);
        return last;
    }

    /** Ends the wait of a request that waited long enough; a place granted at this moment is given back. */
    void leave(Source source, CompletableFuture<Optional<Place>> turn) {
        if (!turn.complete(Optional.empty())) {
            turn.join().ifPresent(this::withdraw);
            return;
        }
        synchronized (this) {
            OfSource own = sources.get(source.who);
            if (own == null) return;
            waiting -= own.removeDone(source.part);
            if (own.size == 0) sources.remove(source.who);
        }
    }

    /** The command was answered. */
    void answered(Place place) {
        end(place, true);
    }

    /** Ends a request in a way that says nothing of the partition. */
    void withdraw(Place place) {
        end(place, false);
    }

    private void end(Place place, boolean says) {
        if (place == Place.NONE) return;
        Deque<Runnable> turns = new ArrayDeque<>();
        synchronized (this) {
            inFlight -= place.weight;
            long now = nanos.getAsLong();
            if (says) limit.answered(now - place.taken, place.inFlight, now);
            while (waiting > 0) {
                OfSource next = sources.values().iterator().next();
                Waiting first = next.first();
                if (!hasPlace(first.weight)) break;
                next.removeFirst();
                waiting--;
                sources.remove(first.source.who);
                if (next.size > 0) sources.put(first.source.who, next);
                Place taken = take(first.weight);
                turns.add(() -> {
                    if (!first.turn.complete(Optional.of(taken))) withdraw(taken);
                });
            }
        }
        turns.forEach(Runnable::run);
    }

    synchronized int limit() {
        return limit.limit();
    }

    synchronized int inFlight() {
        return inFlight;
    }

    synchronized int waiting() {
        return waiting;
    }

    synchronized double saturation() {
        return (double) waiting / mostWaiting;
    }
}
