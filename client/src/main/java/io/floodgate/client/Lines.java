package io.floodgate.client;

import io.floodgate.topics.circuit.BreakerState;
import io.floodgate.topics.circuit.CircuitBreaker;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A line for each queue, and for each tenant in it, so that a full one does not hold up others; and the server's own
 * circuit breaker, which all of them heed.
 */
final class Lines {
    record Key(String queue, String tenant) {
        static Key of(OutgoingJob job) {
            return new Key(job.queue(), job.tenant());
        }
    }

    private final Map<Key, SendBuffer> lines = new ConcurrentHashMap<>();
    private final Sending sending;
    private final CircuitBreaker server;
    private final Requests requests;
    private volatile @Nullable SendResult abandoned;

    Lines(Sending sending) {
        this.sending = sending;
        requests = new Requests(sending.config().requests());
        server = sending.breaker(this::serverIs);
    }

    private void serverIs(BreakerState state) {
        sending.listener().breaker(ProducerListener.SERVER, state);
        if (state == BreakerState.CLOSED) pumpAll();
    }

    void add(PendingSend entry) {
        Key key = Key.of(entry.first());
        SendBuffer[] found = new SendBuffer[1];
        // In one step with looking it up: no other thread removes the line in between.
        lines.compute(key, (same, there) -> {
            SendBuffer line = there == null ? new SendBuffer(key, sending, server, requests, this::left) : there;
            line.join(entry);
            found[0] = line;
            return line;
        });
        SendResult end = abandoned;
        if (end == null) found[0].pump();
        else found[0].abandon(end);
    }

    private void left(Key key) {
        lines.computeIfPresent(key, (same, line) -> line.isForgettable() ? null : line);
    }

    /** Sends what lingers or waits for the server to be back. */
    void pumpAll() {
        lines.values().forEach(SendBuffer::pump);
    }

    /** Lets no job linger from now on. */
    void hurry() {
        lines.values().forEach(SendBuffer::hurry);
    }

    /** Ends all jobs that callers wait for; the kept ones stay as they are. */
    void abandon(SendResult why) {
        abandoned = why;
        List.copyOf(lines.values()).forEach(line -> line.abandon(why));
    }

    BreakerState breaker(String queue) {
        if (queue.equals(ProducerListener.SERVER)) return server.state();
        return lines.entrySet().stream()
                .filter(line -> line.getKey().queue().equals(queue))
                .map(line -> line.getValue().breaker())
                .max(Comparator.comparingInt(BreakerState::level))
                .orElse(BreakerState.CLOSED);
    }
}
