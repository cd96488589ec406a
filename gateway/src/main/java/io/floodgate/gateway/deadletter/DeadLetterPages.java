package io.floodgate.gateway.deadletter;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.MemberWalk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of all partitions in one order, newest first: a merge of the partitions' own lists, of which no more is asked for
 * than the page needs.
 */
final class DeadLetterPages {
    private record DeadLetter(String at, byte[] job) {
        /** One that has gone to a queue of dead letters is not discarded any more. */
        static DeadLetter of(byte[] job) {
            byte[] moved = MemberWalk.raw(job, "dead_letter");
            return new DeadLetter(
                    MemberWalk.text(job, "discarded_at")
                            .or(() -> moved == null ? Optional.empty() : MemberWalk.text(moved, "at"))
                            .orElse(""),
                    job);
        }
    }

    /** One partition's list, as far as it has been read. */
    private static final class Source {
        private final PartitionId log;
        private final Deque<DeadLetter> deadLetters = new ArrayDeque<>();
        private @Nullable String next;

        Source(PartitionId log) {
            this.log = log;
        }

        /** Returns the time of the newest dead letter; there must be one. */
        String newest() {
            return deadLetters.getFirst().at;
        }
    }

    private final Partitions partitions;
    private final Call call;
    private final @Nullable String queue;
    private final int slice;
    private final List<Source> sources = new ArrayList<>();
    private final long began = System.nanoTime();
    private long total;

    private DeadLetterPages(Partitions partitions, Call call, @Nullable String queue, int slice) {
        this.call = call;
        this.partitions = partitions;
        this.queue = queue;
        this.slice = slice;
    }

    /** Asks every partition that may have some for its newest. */
    static DeadLetterPages of(Partitions partitions, Call call, @Nullable String queue, int most)
            throws CommandFailed, RejectedException {
        int slice = Math.min(most, ListDead.MAX_LIMIT);
        DeadLetterPages dead = new DeadLetterPages(partitions, call, queue, slice);
        dead.open();
        return dead;
    }

    long total() {
        return total;
    }

    private void open() throws CommandFailed, RejectedException {
        List<PartitionId> logs = partitions.of(queue);
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (PartitionId log : logs) {
            sources.add(new Source(log));
            replies.add(send(log, null));
        }
        for (int i = 0; i < logs.size(); i++) total += fill(sources.get(i), Replies.await(replies.get(i)));
    }

    private CompletableFuture<Reply> send(PartitionId log, @Nullable String after) {
        return partitions.from(call).owner(log, "dead-letter").send(new ListDead(queue, slice, after));
    }

    /** Returns how many the partition has in all. */
    private long fill(Source source, Reply reply) throws RejectedException {
        List<byte[]> lines = Partitions.lines(reply);
        call.makeRoom(lines);
        source.next = MemberWalk.text(lines.get(0), "next").orElse(null);
        for (byte[] job : lines.subList(1, lines.size())) source.deadLetters.addLast(DeadLetter.of(job));
        return MemberWalk.text(lines.get(0), "total").map(Long::parseLong).orElse(0L);
    }

    List<byte[]> page(int offset, int limit) throws CommandFailed, RejectedException {
        List<byte[]> page = new ArrayList<>();
        for (int i = 0; page.size() < limit; i++) {
            DeadLetter deadLetter = takeNewest();
            if (deadLetter == null) break;
            if (i >= offset) page.add(deadLetter.job);
        }
        return page;
    }

    /** A page of the dead letters, among the newest {@code among}, that match; these are also the total. */
    List<byte[]> page(int offset, int limit, Predicate<byte[]> wanted, int among)
            throws CommandFailed, RejectedException {
        List<byte[]> page = new ArrayList<>();
        total = 0;
        for (int i = 0; i < among; i++) {
            DeadLetter deadLetter = takeNewest();
            if (deadLetter == null) break;
            if (!wanted.test(deadLetter.job)) continue;
            if (total++ >= offset && page.size() < limit) page.add(deadLetter.job);
        }
        return page;
    }

    private @Nullable DeadLetter takeNewest() throws CommandFailed, RejectedException {
        for (Source source : sources) {
            // A slice may hold none of the queue that is asked for, and yet not be the last.
            while (source.deadLetters.isEmpty() && source.next != null) {
                if (System.nanoTime() - began > partitions.patience().toNanos()) throw tooLong();
                fill(source, Replies.await(send(source.log, source.next)));
            }
        }
        return sources.stream()
                .filter(source -> !source.deadLetters.isEmpty())
                .max(Comparator.comparing(Source::newest))
                .map(newest -> newest.deadLetters.removeFirst())
                .orElse(null);
    }

    private RejectedException tooLong() {
        return new RejectedException(Rejection.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "The dead letters were not found within %d s: there are very many in the partition, or many searches. Try again later, or with a smaller offset."
                                .formatted(partitions.patience().toSeconds()))
                .with("outcome", "not_executed"));
    }
}
