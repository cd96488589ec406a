package io.floodgate.gateway.connection;

import io.floodgate.topics.client.Cancellation;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataReader.InsufficientDataAvailableException;
import io.helidon.webserver.CloseConnectionException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
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
     * @param head a request whose head takes longer to arrive is cut off
     * @param sending and so is one whose body does
     * @param receiving an answer, or a part of one, that takes longer to be taken is cut off
     * @param nanos the clock by which that is measured
     */
    public record Limits(Duration head, Duration sending, Duration receiving, LongSupplier nanos) {
        public static final Limits DEFAULT =
                new Limits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), System::nanoTime);

        long now() {
            return nanos.getAsLong();
        }
    }

    private static final ThreadLocal<@Nullable Peer> CURRENT = new ThreadLocal<>();
    private static final long NEVER = 0;
    /** Heads of requests that cost no more come with the connection; larger ones are counted. */
    private static final int FREE_HEAD = 4 * 1024;

    /**
     * Most cost of a head. The web server rejects heads that are too long by itself; this ends what comes in very small
     * pieces.
     */
    private static final int MAX_HEAD_COST = 64 * 1024;

    /** Bytes that the web server keeps around each piece, and around each header. */
    private static final int PIECE_COST = 64;

    private static final int LINE_COST = 100;

    private final DataReader source;
    private final Limits limits;
    private final HeadMemory.Share headMemory;
    private final String address;
    private final FairnessPause fairnessPause = new FairnessPause();
    private int headCost;
    private boolean blankLine;
    private volatile boolean inHead = true;
    private volatile boolean known;
    /** Read ahead by the watch for a disconnect, for the next read. Only the serving thread uses it. */
    private @Nullable CompletableFuture<byte @Nullable []> ahead;

    private volatile boolean idle = true;
    private volatile boolean sending;
    private volatile boolean old;
    /** Time of the last change; and the time until which the current transfer must be done. */
    private volatile long since;

    private volatile long deadline = NEVER;

    /**
     * @param address where it is
     * @param headMemory for what comes before the request is known
     */
    Peer(DataReader source, String address, Limits limits, HeadMemory headMemory) {
        this.limits = limits;
        this.address = address;
        this.headMemory = headMemory.share(address);
        this.source = source;
        since = limits.now();
    }

    /** The peer that the current thread serves; null outside of connections. */
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
        if (inHead) return readHead();
        byte[] bytes = ahead == null ? readNow() : readAhead(ahead);
        ahead = null;
        return bytes;
    }

    private byte @Nullable [] readHead() {
        byte[] bytes;
        try {
            bytes = ahead == null ? readNow() : readAhead(ahead);
            ahead = null;
            if (!idle) return counted(bytes);
            if (bytes == null) return null;
            idle = false;
            sending = true;
            transferFor(limits.head);
            OldHttp.Start start = OldHttp.read(counted(bytes), () -> counted(readNow()));
            old = start.isOld();
            return start.bytes();
        } catch (UncheckedIOException broken) {
            // The web server would write a stack trace for each.
            throw new CloseConnectionException("The connection broke in the head of a request.", broken);
        }
    }

    /** A caller that sends a head without end is not heard to the end; and one that leaves in it is no error. */
    private byte[] counted(byte @Nullable [] bytes) {
        if (bytes == null) throw new CloseConnectionException("The caller left in the head of a request.");
        count(bytes);
        if (headCost > MAX_HEAD_COST) throw new CloseConnectionException("The head of a request is too costly.");
        if (headCost > FREE_HEAD && !headMemory.growTo(headCost))
            throw new CloseConnectionException("There is no memory for the head of a request.");
        return bytes;
    }

    private void count(byte[] bytes) {
        int lines = 0;
        int at = 0;
        // What comes behind the blank line is not of the head.
        for (boolean ended = false; at < bytes.length && !ended; at++) {
            if (bytes[at] == '\n') {
                lines++;
                ended = blankLine;
                blankLine = true;
            } else if (bytes[at] != '\r') {
                blankLine = false;
            }
        }
        headCost += at + PIECE_COST + LINE_COST * lines;
    }

    /** The head of the request is read: from here on the memory budget counts its bytes. */
    public void hasBegun() {
        inHead = false;
        headCost = 0;
        blankLine = false;
        headMemory.close();
        transferFor(limits.sending);
    }

    /** Notes that the caller has shown who it is, or need not: it is no stranger any more. */
    public void isKnown() {
        known = true;
    }

    boolean isStranger() {
        return !known;
    }

    /** Returns the address of the caller. */
    public String address() {
        return address;
    }

    /** Returns whether the current request came in HTTP/1.0, which knows no chunks. */
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

    /** Notes that the answer is sent: what comes now is another request. */
    public void isIdle() {
        deadline = NEVER;
        since = limits.now();
        inHead = true;
        idle = true;
        fairnessPause.answered();
    }

    private void transferFor(Duration limit) {
        since = limits.now();
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

    /**
     * Returns a cancellation for work on behalf of the caller of the current thread: it ends when the caller leaves,
     * and leaves nothing behind.
     */
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

    /** Returns whether a watched caller has left. One that sends its next request early is still there. */
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

    /** Returns whether the head of the request has not arrived yet. */
    boolean isBeforeRequest() {
        return inHead;
    }

    /** Returns for how long nothing has changed. */
    long quietFor(long now) {
        return now - since;
    }
}
