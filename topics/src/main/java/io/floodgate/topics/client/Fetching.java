package io.floodgate.topics.client;

import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * Fetches from any number of queues, left to right. Queues of one log are asked, and waited on, with one command. Queues
 * of several logs are swept, so that no more is claimed than was asked for; to wait, all of them are watched, and the one
 * that has something is fetched from.
 */
public final class Fetching {
    /**
     * A wait is cut into turns. What is parked in a log may outlive this process, should it be killed: the jobs it is then
     * given are nobody's until their leases end, so it must not be parked for long.
     */
    private static final Duration TURN = Duration.ofSeconds(4);

    private final CommandClient client;
    private final Duration patience;
    private final BooleanSupplier closing;
    private final GiveBacks giveBacks;

    public Fetching(CommandClient client, Duration patience) {
        this(client, patience, () -> false);
    }

    /** @param closing whether waits should end with their turn, for the process is about to stop */
    public Fetching(CommandClient client, Duration patience, BooleanSupplier closing) {
        this(client, patience, closing, Later.onVirtualThreads("floodgate-give-back"));
    }

    Fetching(CommandClient client, Duration patience, BooleanSupplier closing, Later later) {
        this.client = client;
        this.patience = patience;
        this.closing = closing;
        giveBacks = new GiveBacks(client, patience, later);
    }

    /** How long the next turn of a wait is. Those that began in one moment do not all end in one, too. */
    static Duration turn(Duration left) {
        Duration turn =
                Duration.ofMillis(ThreadLocalRandom.current().nextLong(TURN.toMillis() * 3 / 4, TURN.toMillis()));
        return left.compareTo(TURN) <= 0 ? left : turn;
    }

    /** The jobs claimed, each as JSON; none when nothing came up within {@code request.maxWait()}. */
    public List<byte[]> fetch(Fetch request) throws CommandFailed, RefusedException {
        return fetch(request, new Cancellation());
    }

    /**
     * The same for a caller who may leave: the fetch is then withdrawn wherever it waits, ends at once and with nothing,
     * and jobs that were handed out meanwhile go back.
     */
    public List<byte[]> fetch(Fetch request, Cancellation cancellation) throws CommandFailed, RefusedException {
        if (cancellation.isCancelled()) return List.of();
        List<byte[]> jobs = claim(request, cancellation);
        if (!cancellation.isCancelled()) return jobs;
        giveBack(jobs);
        return List.of();
    }

    private List<byte[]> claim(Fetch request, Cancellation cancellation) throws CommandFailed, RefusedException {
        long deadline = System.nanoTime() + request.maxWait().toNanos();
        List<QueuesOfLog> logs = QueuesOfLog.of(request.queues(), client.routing());
        if (logs.size() == 1) return askByTurns(request, deadline, cancellation);
        List<byte[]> jobs = new Sweep(client, patience, request, cancellation).all(logs);
        if (!jobs.isEmpty() || request.maxWait().isZero() || cancellation.isCancelled()) return jobs;
        try (Watches watches = new Watches(client, patience, closing, deadline, logs, cancellation)) {
            for (var ready = watches.next(); ready != null; ready = watches.next()) {
                jobs = new Sweep(client, patience, request, cancellation).from(ready);
                if (!jobs.isEmpty()) return jobs;
                // Somebody else was quicker.
                watches.watch(ready);
            }
        }
        return List.of();
    }

    /** Gives jobs back that their caller is no longer there to run; the attempt does not count. */
    public void giveBack(List<byte[]> jobs) {
        for (byte[] job : jobs) giveBacks.give(job);
    }

    private List<byte[]> askByTurns(Fetch request, long deadline, Cancellation cancellation)
            throws CommandFailed, RefusedException {
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            Duration turn = turn(left);
            List<byte[]> jobs = ask(request.waiting(turn), cancellation);
            if (!jobs.isEmpty() || turn.equals(left) || closing.getAsBoolean() || cancellation.isCancelled())
                return jobs;
        }
    }

    private List<byte[]> ask(Fetch fetch, Cancellation cancellation) throws CommandFailed, RefusedException {
        String key = fetch.queues().get(0);
        CompletableFuture<Reply> reply =
                client.send(client.routing().ofQueue(key), key, fetch, patience.plus(fetch.maxWait()));
        cancellation.onCancel(() -> reply.cancel(false));
        try {
            return switch (Replies.await(reply)) {
                case Reply.Done done -> done.lines();
                case Reply.Refused refused -> throw new RefusedException(refused.refusal());
            };
        } catch (CommandFailed failure) {
            if (cancellation.isCancelled()) return List.of();
            throw failure;
        }
    }
}
