package io.floodgate.topics.client;

import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for replies. */
public final class Replies {
    private Replies() {}

    /** The same, for at most this time; then the reply is cancelled. */
    static Reply await(CompletableFuture<Reply> reply, Duration most) throws CommandFailed {
        try {
            return reply.get(Math.max(0, most.toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            reply.cancel(false);
        } catch (ExecutionException | CancellationException | InterruptedException e) {
            if (e instanceof InterruptedException) Thread.currentThread().interrupt();
        }
        return await(reply);
    }

    public static Reply await(CompletableFuture<Reply> reply) throws CommandFailed {
        try {
            return reply.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CommandFailed failed) throw failed;
            throw new IllegalStateException("a reply ended in an unexpected way", e.getCause());
        } catch (CancellationException e) {
            throw new NoReply("the command was withdrawn", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            NoReply interrupted = new NoReply("interrupted while waiting for a reply", e);
            // From here on the reply is a late one; unless it came just now.
            if (reply.completeExceptionally(interrupted) || reply.isCompletedExceptionally()) throw interrupted;
            return reply.join();
        }
    }

    /** Returns the lines of a partition's answer, unless it rejected. */
    public static List<byte[]> lines(Reply reply) throws RejectedException {
        return switch (reply) {
            case Reply.Done done -> done.lines();
            case Reply.Rejected rejected -> throw new RejectedException(rejected.rejection());
        };
    }
}
