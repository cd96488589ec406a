package io.floodgate.topics.client;

import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WantedJobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits at several partitions for some to have something. Whatever is still being watched at the end is withdrawn, and
 * what a partition has sent by then is declined, so that it wakes others.
 */
final class Watches implements AutoCloseable {
    /** A partition that cannot be watched is tried again after a while. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** An answer to a watch; without a partition, no more answers come. */
    private record Answer(
            @Nullable QueuesOfPartition log,
            WaitSlices.@Nullable Turn turn,
            @Nullable Reply reply) {}

    private static final Answer END = new Answer(null, null, null);

    private final CommandClient client;
    private final Duration patience;
    private final BooleanSupplier closing;
    private final WaitSlices turns;
    private final long deadline;
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final Map<QueuesOfPartition, CompletableFuture<Reply>> open = new HashMap<>();
    /** The queues that partitions have sent. */
    private final Map<QueuesOfPartition, List<String>> told = new HashMap<>();

    private final Set<QueuesOfPartition> failed = new HashSet<>();
    private final WantedJobs types;
    private final Cancellation cancellation;

    Watches(
            CommandClient client,
            Duration patience,
            BooleanSupplier closing,
            WaitSlices turns,
            long deadline,
            Iterable<QueuesOfPartition> logs,
            WantedJobs types,
            Cancellation cancellation) {
        this.client = client;
        this.patience = patience;
        this.closing = closing;
        this.turns = turns;
        this.deadline = deadline;
        this.types = types;
        this.cancellation = cancellation;
        for (QueuesOfPartition log : logs) watch(log);
    }

    /** Watches a partition again. */
    void watch(QueuesOfPartition log) {
        WaitSlices.Turn turn = turns.begin(left());
        Duration wait = Duration.ofMillis(Math.max(0, turn.length().toMillis()));
        if (wait.isZero() || cancellation.isCancelled()) return;
        var answer =
                client.send(log.log(), log.names().get(0), new Watch(log.names(), wait, types), patience.plus(wait));
        open.put(log, answer);
        var unused = answer.whenComplete((reply, failure) -> answers.add(new Answer(log, turn, reply)));
    }

    /** The partitions that have something by now, once there is one; none when the time is up, or the caller has left. */
    List<QueuesOfPartition> next() throws RejectedException {
        cancellation.onCancel(() -> answers.add(END));
        while (!cancellation.isCancelled() && !closing.getAsBoolean()) {
            Duration left = left();
            if (!left.isPositive()) return List.of();
            Answer answer = poll(failed.isEmpty() || left.compareTo(PAUSE) < 0 ? left : PAUSE);
            if (answer == null) {
                Set<QueuesOfPartition> again = Set.copyOf(failed);
                failed.clear();
                again.forEach(this::watch);
            } else if (isReady(answer)) return withOthers(answer);
        }
        return List.of();
    }

    /** The partitions that have answered meanwhile, too: they would answer nothing else the next time. */
    private List<QueuesOfPartition> withOthers(Answer first) throws RejectedException {
        List<QueuesOfPartition> ready = new ArrayList<>();
        if (first.log() != null) ready.add(first.log());
        for (Answer answer = answers.poll(); answer != null; answer = answers.poll())
            if (isReady(answer) && answer.log() != null) ready.add(answer.log());
        return ready;
    }

    private boolean isReady(Answer answer) throws RejectedException {
        QueuesOfPartition log = answer.log();
        WaitSlices.Turn turn = answer.turn();
        if (log == null || turn == null) return false;
        open.remove(log);
        switch (answer.reply()) {
            case Reply.Done done -> {
                if (isReady(log, done)) return true;
                if (turn.isCutShort()) failed.add(log);
                else watch(log);
            }
            case Reply.Rejected rejected -> {
                if (!rejected.rejection().code().mayPass()) throw new RejectedException(rejected.rejection());
                failed.add(log);
            }
            case null -> failed.add(log);
        }
        return false;
    }

    private boolean isReady(QueuesOfPartition log, Reply.Done answer) {
        List<String> queues = QueuesOfPartition.ready(answer, log.names());
        if (!queues.isEmpty()) told.put(log, queues);
        return !queues.isEmpty();
    }

    private @Nullable Answer poll(Duration time) {
        try {
            return answers.poll(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cancellation.cancel();
            return END;
        }
    }

    private Duration left() {
        return Duration.ofNanos(deadline - System.nanoTime());
    }

    /** Declines what these partitions have sent, and leaves it to others. */
    void decline(Collection<QueuesOfPartition> logs) {
        for (QueuesOfPartition log : logs) {
            List<String> queues = told.getOrDefault(log, log.names());
            var unused = client.send(log.log(), queues.get(0), new Decline(queues), patience);
        }
    }

    @Override
    public void close() {
        open.values().forEach(answer -> answer.cancel(false));
        for (Answer answer = answers.poll(); answer != null; answer = answers.poll())
            if (answer.log() != null && answer.reply() instanceof Reply.Done done && isReady(answer.log(), done))
                decline(List.of(answer.log()));
    }
}
