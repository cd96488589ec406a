package io.floodgate.topics.client;

import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Fetches from any number of queues, left to right. Queues of one partition are asked, and waited on, with one command. Queues
 * of several partitions are swept, so that no more is claimed than was asked for; to wait, all of them are watched, and the one
 * that has something is fetched from.
 */
public final class Fetching {
    private final CommandClient client;
    private final Duration patience;
    private final BooleanSupplier closing;
    private final WaitSlices turns;
    private final GiveBacks giveBacks;
    private final LongSupplier nanos;

    public Fetching(CommandClient client, Duration patience) {
        this(client, patience, () -> false);
    }

    /** @param closing whether waits should end with their turn, for the process is about to stop */
    public Fetching(CommandClient client, Duration patience, BooleanSupplier closing) {
        this(
                client,
                patience,
                closing,
                WaitSlices.OF_SECONDS,
                Later.onVirtualThreads("floodgate-give-back"),
                System::nanoTime);
    }

    /** @param nanos the clock of sweeps */
    Fetching(
            CommandClient client,
            Duration patience,
            BooleanSupplier closing,
            WaitSlices turns,
            Later later,
            LongSupplier nanos) {
        this(client, patience, closing, turns, new GiveBacks(client, patience, later), nanos);
    }

    private Fetching(
            CommandClient client,
            Duration patience,
            BooleanSupplier closing,
            WaitSlices turns,
            GiveBacks giveBacks,
            LongSupplier nanos) {
        this.nanos = nanos;
        this.client = client;
        this.patience = patience;
        this.closing = closing;
        this.turns = turns;
        this.giveBacks = giveBacks;
    }

    /** The same with another client; what has to be given back is this one's affair. */
    public Fetching by(CommandClient other) {
        return new Fetching(other, patience, closing, turns, giveBacks, nanos);
    }

    /** The jobs claimed, each as JSON; none when nothing came up within {@code request.maxWait()}. */
    public List<byte[]> fetch(Fetch request) throws CommandFailed, RejectedException {
        return fetch(request, new Cancellation());
    }

    /**
     * The same for a caller who may leave: the fetch is then withdrawn wherever it waits, ends at once and with nothing,
     * and jobs that were handed out meanwhile go back.
     */
    public List<byte[]> fetch(Fetch request, Cancellation cancellation) throws CommandFailed, RejectedException {
        if (cancellation.isCancelled()) return List.of();
        List<byte[]> jobs = claim(request, cancellation);
        if (!cancellation.isCancelled()) return jobs;
        giveBack(jobs);
        return List.of();
    }

    private List<byte[]> claim(Fetch request, Cancellation cancellation) throws CommandFailed, RejectedException {
        long deadline = System.nanoTime() + request.maxWait().toNanos();
        List<QueuesOfPartition> logs = QueuesOfPartition.of(request.queues(), client.routing());
        if (logs.size() == 1) return askByTurns(request, deadline, cancellation);
        List<byte[]> jobs = new Sweep(client, patience, request, cancellation, nanos).all(logs);
        if (!jobs.isEmpty() || request.maxWait().isZero() || cancellation.isCancelled()) return jobs;
        try (Watches watches =
                new Watches(client, patience, closing, turns, deadline, logs, request.types(), cancellation)) {
            for (List<QueuesOfPartition> ready = watches.next(); !ready.isEmpty(); ready = watches.next()) {
                Sweep sweep = new Sweep(client, patience, request, cancellation, nanos);
                jobs = sweep.from(ready);
                watches.decline(sweep.left());
                if (!jobs.isEmpty()) return jobs;
                // Others were quicker.
                ready.forEach(watches::watch);
            }
        }
        return List.of();
    }

    /** Gives jobs back that their caller is no longer there to run; the attempt does not count. */
    public void giveBack(List<byte[]> jobs) {
        for (byte[] job : jobs) giveBacks.give(job);
    }

    private List<byte[]> askByTurns(Fetch request, long deadline, Cancellation cancellation)
            throws CommandFailed, RejectedException {
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            WaitSlices.Turn turn = turns.begin(left);
            List<byte[]> jobs = ask(request.waiting(turn.length()), cancellation);
            boolean over = turn.isLast() || turn.isCutShort() || closing.getAsBoolean();
            if (!jobs.isEmpty() || over || cancellation.isCancelled()) return jobs;
        }
    }

    private List<byte[]> ask(Fetch fetch, Cancellation cancellation) throws CommandFailed, RejectedException {
        String key = fetch.queues().get(0);
        CompletableFuture<Reply> reply =
                client.send(client.routing().ofQueue(key), key, fetch, patience.plus(fetch.maxWait()));
        cancellation.onCancel(() -> reply.cancel(false));
        try {
            return switch (Replies.await(reply)) {
                case Reply.Done done -> done.lines();
                case Reply.Rejected rejected -> throw new RejectedException(rejected.rejection());
            };
        } catch (CommandFailed failure) {
            if (cancellation.isCancelled()) return List.of();
            throw failure;
        }
    }
}
