package io.floodgate.gateway.admin;

import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A value that is expensive to compute: for all callers within two seconds it is computed once. */
public final class Shared<T> {
    public static final Duration FRESH = Duration.ofSeconds(2);

    public interface Source<T> {
        T compute() throws CommandFailed, RejectedException;
    }

    private record Computation<T>(CompletableFuture<T> result, long begun) {}

    private final LongSupplier nanos;
    private @Nullable Computation<T> latest;

    /** @param nanos a clock like {@code System.nanoTime()} */
    public Shared(LongSupplier nanos) {
        this.nanos = nanos;
    }

    public T get(Source<T> source) throws CommandFailed, RejectedException {
        Computation<T> mine = new Computation<>(new CompletableFuture<>(), nanos.getAsLong());
        Computation<T> current = startUnlessFresh(mine);
        return current.equals(mine) ? compute(mine, source) : await(current.result);
    }

    private synchronized Computation<T> startUnlessFresh(Computation<T> mine) {
        Computation<T> known = latest;
        if (known != null && mine.begun - known.begun < FRESH.toNanos()) return known;
        latest = mine;
        return mine;
    }

    private T compute(Computation<T> mine, Source<T> source) throws CommandFailed, RejectedException {
        try {
            T result = source.compute();
            mine.result.complete(result);
            return result;
        } catch (CommandFailed | RejectedException | RuntimeException failure) {
            forget(mine);
            mine.result.completeExceptionally(failure);
            throw failure;
        }
    }

    private static <T> T await(CompletableFuture<T> result) throws CommandFailed, RejectedException {
        try {
            return result.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof CommandFailed failure) throw failure;
            if (failed.getCause() instanceof RejectedException rejected) throw rejected;
            throw failed;
        }
    }

    private synchronized void forget(Computation<T> failed) {
        if (failed.equals(latest)) latest = null;
    }

    /** Forgets the value, since its source has changed. */
    synchronized void forget() {
        latest = null;
    }
}
