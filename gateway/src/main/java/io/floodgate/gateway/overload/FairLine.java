package io.floodgate.gateway.overload;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Who waits at the door of one log until there is a place among the commands before it. Places go round the sources
 * (tenants, queues), one each; when too many wait, the newest of the source with most of them is sent away. So whoever floods
 * waits behind itself, and is refused instead of the others.
 *
 * <pre>
 *   acme    ▓▓▓▓▓▓▓▓▓▓▓ ──┐
 *   other   ▓ ────────────┼──▶ places (an {@link AdaptiveLimit}) ──▶ the log
 *   third   ▓▓ ───────────┘
 * </pre>
 */
final class FairLine {
    /** The right to have a command before the log; to be given back. */
    static final class Place {
        /** Of a log before which there is no line. */
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

    private record Waiting(String source, int weight, CompletableFuture<Optional<Place>> turn) {}

    private final AdaptiveLimit limit;
    private final int mostWaiting;
    private final LongSupplier nanos;
    /** The next source is the first. */
    private final Map<String, Deque<Waiting>> sources = new LinkedHashMap<>();

    private int inFlight;
    private int waiting;

    FairLine(AdaptiveLimit limit, int mostWaiting, LongSupplier nanos) {
        this.limit = limit;
        this.mostWaiting = mostWaiting;
        this.nanos = nanos;
    }

    /** A place; at once or later, or none for whoever is sent away. */
    CompletableFuture<Optional<Place>> enter(String source, int weight) {
        CompletableFuture<Optional<Place>> turn = new CompletableFuture<>();
        Waiting sentAway = null;
        synchronized (this) {
            if (waiting == 0 && hasPlace(weight)) {
                turn.complete(Optional.of(take(weight)));
                return turn;
            }
            sources.computeIfAbsent(source, s -> new ArrayDeque<>()).addLast(new Waiting(source, weight, turn));
            if (++waiting > mostWaiting) sentAway = sendAway();
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
        Deque<Waiting> longest = sources.values().stream()
                .max(Comparator.comparingInt(Deque::size))
                .orElseThrow();
        Waiting last = longest.removeLast();
        waiting--;
        if (longest.isEmpty()) sources.remove(last.source);
        return last;
    }

    /** Whoever has waited long enough; a place that came in this very moment is given back. */
    void leave(String source, CompletableFuture<Optional<Place>> turn) {
        if (!turn.complete(Optional.empty())) {
            turn.join().ifPresent(this::withdraw);
            return;
        }
        synchronized (this) {
            Deque<Waiting> own = sources.get(source);
            if (own == null) return;
            int before = own.size();
            own.removeIf(each -> each.turn.isDone());
            waiting -= before - own.size();
            if (own.isEmpty()) sources.remove(source);
        }
    }

    /** The command was answered. */
    void answered(Place place) {
        end(place, true);
    }

    /** It has ended in a way that says nothing of the log. */
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
                Map.Entry<String, Deque<Waiting>> next =
                        sources.entrySet().iterator().next();
                Waiting first = next.getValue().getFirst();
                if (!hasPlace(first.weight)) break;
                next.getValue().removeFirst();
                waiting--;
                sources.remove(next.getKey());
                if (!next.getValue().isEmpty()) sources.put(next.getKey(), next.getValue());
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
