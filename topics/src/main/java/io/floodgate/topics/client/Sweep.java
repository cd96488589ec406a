package io.floodgate.topics.client;

import io.floodgate.topics.client.QueuesOfPartition.From;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes what is ready in queues of several partitions, from left to right, and never more than is wanted. All partitions are asked at the
 * same time which of their queues has something; then one after the other is fetched from, as far as no queue of another one
 * comes before. A partition that has let others wait in vain is asked, but not waited for.
 *
 * <p>A job has started when its partition hands it out, and must not wait for other partitions: once the sweep holds one, further logs
 * are asked for what they have at once, only for {@link #MORE}, and none is waited for beyond {@link #LEAVES}.
 */
final class Sweep {
    /** Time for which the sweep asks further partitions after the first job was claimed. */
    static final Duration MORE = Duration.ofMillis(10);

    /** The sweep ends this long after the first job was claimed; jobs from a late partition go back. */
    static final Duration LEAVES = Duration.ofMillis(25);

    private final CommandClient client;
    private final Duration patience;
    private final Fetch request;
    private final Cancellation cancellation;
    private final LongSupplier nanos;
    private final List<byte[]> jobs = new ArrayList<>();
    private final PriorityQueue<From> left = new PriorityQueue<>(Comparator.comparingInt(From::position));
    /** Time at which the first job was claimed. */
    private long heldSince;

    private int answers;
    private @Nullable Exception failure;

    Sweep(CommandClient client, Duration patience, Fetch request, Cancellation cancellation, LongSupplier nanos) {
        this.nanos = nanos;
        this.client = client;
        this.patience = patience;
        this.request = request;
        this.cancellation = cancellation;
    }

    /** Returns the ready jobs of all partitions. Fails only if no partition has answered. */
    List<byte[]> all(List<QueuesOfPartition> logs) throws CommandFailed, RejectedException {
        QueuesOfPartition first = logs.get(0);
        int firstOfOthers = logs.get(1).firstFrom(0);
        boolean tried = !client.isSilent(first.log());
        // Nothing comes before these, whatever the others have.
        if (tried) claim(first, 0, firstOfOthers);
        if (!isOver()) {
            List<From> rest = new ArrayList<>();
            for (QueuesOfPartition log : logs) {
                int from = log.firstFrom(tried ? firstOfOthers : 0);
                if (from != QueuesOfPartition.NONE) rest.add(new From(log, from));
            }
            // The only one left need not be asked before it is fetched from.
            inOrder(rest.size() == 1 ? rest : ready(rest));
        }
        if (jobs.isEmpty() && answers == 0 && !cancellation.isCancelled()) fail();
        return jobs;
    }

    /** Returns the ready jobs of these partitions. */
    List<byte[]> from(List<QueuesOfPartition> ready) throws RejectedException {
        inOrder(ready.stream().map(log -> new From(log, log.firstFrom(0))).toList());
        return jobs;
    }

    /** Logs that were ready, and were not turned to. */
    List<QueuesOfPartition> left() {
        return left.stream().map(From::log).toList();
    }

    private void inOrder(List<From> ready) throws RejectedException {
        left.addAll(ready);
        while (!left.isEmpty() && !isOver()) {
            From first = left.remove();
            From second = left.peek();
            int end = second == null ? QueuesOfPartition.NONE : second.position();
            boolean answered = claim(first.log(), first.position(), end);
            int next = first.log().firstFrom(end);
            if (answered && next != QueuesOfPartition.NONE && !isOver())
                left.addAll(ready(List.of(new From(first.log(), next))));
        }
    }

    private boolean isOver() {
        return jobs.size() >= request.count()
                || cancellation.isCancelled()
                || (holds() && !left(MORE).isPositive());
    }

    private boolean holds() {
        return !jobs.isEmpty();
    }

    /** Returns the rest of this time since the first job was claimed. */
    private Duration left(Duration time) {
        return time.minusNanos(nanos.getAsLong() - heldSince);
    }

    private boolean claim(QueuesOfPartition log, int from, int to) throws RejectedException {
        List<String> queues = log.between(from, to);
        Fetch part = request.from(queues, request.count() - jobs.size()).atOnce(holds());
        Reply.Done done = answer(client.send(log.log(), queues.get(0), part, patience));
        if (done == null) return false;
        List<byte[]> claimed = done.lines();
        if (!holds() && !claimed.isEmpty()) heldSince = nanos.getAsLong();
        jobs.addAll(claimed);
        return true;
    }

    /** Returns the partitions that have something, each from its first queue with a ready job on. */
    private List<From> ready(List<From> logs) throws RejectedException {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        boolean anyWell = false;
        for (From from : logs) {
            List<String> queues = from.log().between(from.position(), QueuesOfPartition.NONE);
            Watch watch = new Watch(queues, Duration.ZERO, request.types(), holds());
            replies.add(client.send(from.log().log(), queues.get(0), watch, patience));
            anyWell |= !client.isSilent(from.log().log());
        }
        List<From> ready = new ArrayList<>();
        for (int i = 0; i < logs.size(); i++) {
            From from = logs.get(i);
            if (anyWell && client.isSilent(from.log().log()) && !replies.get(i).isDone()) continue;
            Reply.Done done = answer(replies.get(i));
            int position = done == null ? QueuesOfPartition.NONE : from.log().ready(done, from.position());
            if (position != QueuesOfPartition.NONE) ready.add(new From(from.log(), position));
        }
        return ready;
    }

    /** Null for a partition that failed: the others may have something all the same. */
    private Reply.@Nullable Done answer(CompletableFuture<Reply> reply) throws RejectedException {
        cancellation.onCancel(() -> reply.cancel(false));
        try {
            // Cut short, it is withdrawn, and what was handed out meanwhile goes back.
            switch (holds() ? Replies.await(reply, left(LEAVES)) : Replies.await(reply)) {
                case Reply.Done done -> {
                    answers++;
                    return done;
                }
                case Reply.Rejected rejected -> {
                    RejectedException rejection = new RejectedException(rejected.rejection());
                    // What is wrong with the request is wrong everywhere; but jobs must reach their worker.
                    if (!rejected.rejection().code().mayPass() && jobs.isEmpty()) throw rejection;
                    failure = rejection;
                }
            }
        } catch (CommandFailed failed) {
            failure = failed;
        }
        return null;
    }

    private void fail() throws CommandFailed, RejectedException {
        if (failure instanceof RejectedException rejected) throw rejected;
        throw failure instanceof CommandFailed failed ? failed : new NoReply("no partition answered");
    }
}
