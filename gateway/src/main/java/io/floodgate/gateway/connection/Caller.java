package io.floodgate.gateway.connection;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataReader.InsufficientDataAvailableException;
import io.helidon.webserver.ConnectionContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The other end of one connection. It is served by one thread, which reads a request, answers it, and reads the next one.
 *
 * <pre>
 *      first byte        request complete         answer begins       answer written
 *  idle ───▶ sending (bounded) ───▶ being served ───▶ receiving (bounded) ───▶ idle
 * </pre>
 */
public final class Caller {
    /**
     * @param sending a request that takes longer to arrive is cut off
     * @param receiving an answer, or a part of one, that takes longer to be taken is cut off
     */
    public record Limits(Duration sending, Duration receiving) {
        public static final Limits DEFAULT = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(60));
    }

    private static final ThreadLocal<@Nullable Caller> CURRENT = new ThreadLocal<>();
    private static final long NEVER = 0;

    private final DataReader source;
    private final Limits limits;
    /** Read ahead by whoever watches for the caller's leaving; the next read gets it. Touched by the serving thread only. */
    private @Nullable CompletableFuture<byte @Nullable []> ahead;

    private volatile boolean idle = true;
    private volatile boolean sending;
    /** When something changed last; and until when the current transfer must be done. */
    private volatile long since = System.nanoTime();

    private volatile long deadline = NEVER;

    Caller(ConnectionContext connection, Limits limits) {
        this.limits = limits;
        source = connection.dataReader();
    }

    /** Whom the current thread serves; nobody, outside of connections. */
    public static @Nullable Caller current() {
        return CURRENT.get();
    }

    void isServedHere() {
        CURRENT.set(this);
    }

    void isServedNoLonger() {
        CURRENT.remove();
    }

    /** The next bytes, or null when the caller has closed the connection. */
    byte @Nullable [] read() {
        byte[] bytes = ahead == null ? readNow() : readAhead(ahead);
        ahead = null;
        if (idle && bytes != null) {
            idle = false;
            sending = true;
            transferFor(limits.sending);
        }
        return bytes;
    }

    private byte @Nullable [] readNow() {
        try {
            source.ensureAvailable();
            return source.readBytes(source.available());
        } catch (InsufficientDataAvailableException closed) {
            return null;
        }
    }

    private static byte @Nullable [] readAhead(CompletableFuture<byte @Nullable []> ahead) {
        try {
            return ahead.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) throw failure;
            throw e;
        }
    }

    /** The request is complete: however long it takes to serve it, that is not the caller's fault. */
    public void hasSent() {
        sending = false;
        deadline = NEVER;
    }

    /** An answer, or a part of one, is about to be written. */
    public void isReceiving() {
        sending = false;
        transferFor(limits.receiving);
    }

    public void hasReceived() {
        deadline = NEVER;
    }

    /** All is said: what comes now is another request. */
    public void isIdle() {
        deadline = NEVER;
        since = System.nanoTime();
        idle = true;
    }

    private void transferFor(Duration limit) {
        since = System.nanoTime();
        deadline = since + limit.toNanos();
    }

    /** Begins to look out for the caller's leaving, while it is being served. */
    public void watch() {
        if (ahead != null) return;
        CompletableFuture<byte @Nullable []> coming = new CompletableFuture<>();
        ahead = coming;
        Thread.ofVirtual().name("floodgate-watch").start(() -> {
            try {
                coming.complete(readNow());
            } catch (RuntimeException broken) {
                coming.completeExceptionally(broken);
            }
        });
    }

    /** Whether a watched caller has left. One that sends its next request early is still there. */
    public boolean hasLeft() {
        return ahead != null && ahead.isDone() && (ahead.isCompletedExceptionally() || ahead.join() == null);
    }

    boolean isLate(long now) {
        long until = deadline;
        return until != NEVER && now - until > 0;
    }

    boolean isSending() {
        return sending;
    }

    boolean isBetweenRequests() {
        return idle;
    }

    /** How long nothing has changed. */
    long quietFor(long now) {
        return now - since;
    }
}
