package io.floodgate.gateway.connection;

import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.topics.client.Cancellation;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataReader.InsufficientDataAvailableException;
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
public final class Peer {
    /**
     * @param sending a request that takes longer to arrive is cut off
     * @param receiving an answer, or a part of one, that takes longer to be taken is cut off
     */
    public record Limits(Duration sending, Duration receiving) {
        public static final Limits DEFAULT = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(60));
    }

    private static final ThreadLocal<@Nullable Peer> CURRENT = new ThreadLocal<>();
    private static final long NEVER = 0;
    /** Heads of requests up to this size come with the connection; larger ones are counted. */
    private static final int FREE_HEAD = 4 * 1024;

    private final DataReader source;
    private final Limits limits;
    private final MemoryBudget.Share headMemory;
    private final Breather breather = new Breather();
    private int headBytes;
    private boolean inHead = true;
    /** Read ahead by whoever watches for the caller's leaving; the next read gets it. Touched by the serving thread only. */
    private @Nullable CompletableFuture<byte @Nullable []> ahead;

    private volatile boolean idle = true;
    private volatile boolean sending;
    private volatile boolean old;
    /** When something changed last; and until when the current transfer must be done. */
    private volatile long since = System.nanoTime();

    private volatile long deadline = NEVER;

    /** @param headMemory for what comes before anyone knows what is wanted */
    Peer(DataReader source, Limits limits, MemoryBudget.Share headMemory) {
        this.limits = limits;
        this.headMemory = headMemory;
        this.source = source;
    }

    /** Whom the current thread serves; nobody, outside of connections. */
    public static @Nullable Peer current() {
        return CURRENT.get();
    }

    void isServedHere() {
        CURRENT.set(this);
    }

    void isServedNoLonger() {
        headMemory.close();
        CURRENT.remove();
    }

    /** The next bytes, or null when the caller has closed the connection. */
    byte @Nullable [] read() {
        byte[] bytes = ahead == null ? readNow() : readAhead(ahead);
        ahead = null;
        if (bytes != null && inHead && !hasRoomFor(bytes)) return null;
        if (idle && bytes != null) {
            idle = false;
            sending = true;
            transferFor(limits.sending);
            OldHttp.Start start = OldHttp.read(bytes, this::readNow);
            old = start.isOld();
            return start.bytes();
        }
        return bytes;
    }

    /** A caller that sends headers without end while memory is short is not heard to the end. */
    private boolean hasRoomFor(byte[] bytes) {
        headBytes += bytes.length;
        return headBytes <= FREE_HEAD || headMemory.growTo(headBytes);
    }

    /** The head of the request is read: from here on somebody else counts. */
    public void hasBegun() {
        inHead = false;
        headBytes = 0;
        headMemory.close();
    }

    /** Whether the current request came in HTTP/1.0, which knows no chunks. */
    public boolean speaksOldHttp() {
        return old;
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
        inHead = true;
        idle = true;
        breather.answered();
    }

    private void transferFor(Duration limit) {
        since = System.nanoTime();
        deadline = since + limit.toNanos();
    }

    /**
     * Begins to look out for the caller's leaving, while it is being served. The future ends when it has left; it never does
     * when the caller stays, or sends its next request early.
     */
    public CompletableFuture<Void> watch() {
        if (ahead == null) ahead = readInBackground();
        CompletableFuture<Void> left = new CompletableFuture<>();
        var unused = ahead.whenComplete((bytes, broken) -> {
            if (bytes == null) left.complete(null);
        });
        return left;
    }

    /** For what waits on behalf of whom the current thread serves: it ends when the caller leaves, and leaves nothing behind. */
    public static Cancellation whenTheCallerLeaves() {
        Cancellation cancellation = new Cancellation();
        Peer peer = current();
        if (peer != null) {
            var unused = peer.watch().thenRun(cancellation::cancel);
        }
        return cancellation;
    }

    private CompletableFuture<byte @Nullable []> readInBackground() {
        CompletableFuture<byte @Nullable []> coming = new CompletableFuture<>();
        Thread.ofVirtual().name("floodgate-watch").start(() -> {
            try {
                coming.complete(readNow());
            } catch (RuntimeException broken) {
                coming.completeExceptionally(broken);
            }
        });
        return coming;
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
