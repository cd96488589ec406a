package io.floodgate.gateway.event;

import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Callers that wait for the end of a job or a workflow. Its events wake them; in case events are late, its partition is asked
 * now and then.
 */
public record EndWait(EventLog events, BooleanSupplier closing) {
    private static final Duration USUAL = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration PROBE = Duration.ofSeconds(2);

    /** Asks how it stands. */
    @FunctionalInterface
    public interface Asking<T> {
        T ask() throws CommandFailed, RejectedException;
    }

    /** Returns for how long a request waits: {@code ?wait=true&timeout=20}, {@code ?wait=20} or {@code ?wait=PT20S}. */
    public static Duration asked(Call call) throws RejectedException {
        String wait = call.query("wait").orElse("false");
        return switch (wait) {
            case "false", "0", "" -> Duration.ZERO;
            case "true", "1" -> {
                String timeout = call.query("timeout").orElse(null);
                yield timeout == null ? USUAL : length("timeout", timeout);
            }
            default -> length("wait", wait);
        };
    }

    private static Duration length(String parameter, String text) throws RejectedException {
        Optional<Duration> length = Durations.parse(text);
        try {
            if (length.isEmpty()) length = Optional.of(Duration.ofMillis((long) (1_000 * Double.parseDouble(text))));
        } catch (NumberFormatException noNumber) {
            // rejected below
        }
        if (length.isEmpty() || length.get().isNegative())
            throw RequestFields.wrong(
                    parameter,
                    "The query parameter '%s' must be a number of seconds, or a duration such as PT20S, of at most %d seconds."
                            .formatted(parameter, LONGEST.toSeconds()));
        return length.get().compareTo(LONGEST) > 0 ? LONGEST : length.get();
    }

    /** Returns how it stands once it has ended, or when the time is over, the caller has left, or the server closes. */
    public <T> T await(String subject, Duration wait, Asking<T> asking, Predicate<T> hasEnded)
            throws CommandFailed, RejectedException {
        Peer peer = Peer.current();
        CompletableFuture<Void> left = peer == null ? new CompletableFuture<>() : peer.watch();
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            // Watched before the partition is asked, or what happens in between would be missed.
            try (JobWatches.Watch watch = events.watch(subject)) {
                T standing = asking.ask();
                long nanos = deadline - System.nanoTime();
                if (hasEnded.test(standing) || nanos <= 0 || closing.getAsBoolean() || left.isDone()) return standing;
                await(CompletableFuture.anyOf(watch.happened(), left), Math.min(nanos, PROBE.toNanos()));
            }
        }
    }

    private static void await(CompletableFuture<?> something, long nanos) {
        try {
            something.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // the partition is asked either way
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
