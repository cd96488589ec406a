package io.floodgate.processor.testing;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

/** Several partitions in memory and the messages between them, which arrive when the test says so, in order. */
public final class Cluster {
    private static final int MOST_ROUNDS = 2_000;

    private record PendingMessage(TestPartition from, Outgoing message) {}

    private final Routing routing;
    private final Map<PartitionId, TestPartition> logs = new LinkedHashMap<>();
    private final Queue<PendingMessage> underway = new ArrayDeque<>();
    /** Of each pair of partitions, the last message that was lost. */
    private final Map<String, Long> lost = new LinkedHashMap<>();
    /** Of each pair of partitions, the last message that is, or was, under way. */
    private final Map<String, Long> collected = new LinkedHashMap<>();

    public Cluster(int partitions) {
        routing = new Routing(partitions);
        for (PartitionId id : routing.logs()) logs.put(id, new TestPartition(id, routing));
    }

    public Routing routing() {
        return routing;
    }

    public TestPartition log(int partition) {
        return log(routing.logs().get(partition));
    }

    public TestPartition log(PartitionId id) {
        TestPartition log = logs.get(id);
        if (log == null) throw new IllegalArgumentException("no log " + id);
        return log;
    }

    /** A queue of this partition; its name begins so. */
    public String queue(int partition, String beginning) {
        return Ids.queueIn(log(partition).id(), routing, beginning);
    }

    /** The nickname of an id that is at home in this partition; it begins so. */
    public String id(int partition, String beginning) {
        return Ids.nicknameIn(log(partition).id(), routing, beginning);
    }

    /** The key of a rate limit that this partition owns. */
    public String limitKey(int partition) {
        for (int n = 0; ; n++)
            if (routing.ofLimit("k" + n).equals(log(partition).id())) return "k" + n;
    }

    /** The commands arrive at this partition; what it tells others stays under way. */
    public Cluster receives(int partition, Ask... asks) {
        for (Ask ask : asks) {
            TestPartition log = log(partition).receives(ask);
            collect(log);
        }
        return this;
    }

    /** Time passes everywhere. */
    public Cluster after(Duration time) {
        for (TestPartition log : logs.values()) collect(log.after(time));
        return this;
    }

    /** All messages that partitions have sent are under way from now on. */
    public Cluster collects() {
        logs.values().forEach(this::collect);
        return this;
    }

    /** Messages are delivered, and partitions whose timers are due get ticks, until nothing is left to do. */
    public void works() {
        delivers();
        for (int rounds = 0; logs.values().stream().anyMatch(Cluster::isBusy); rounds++) {
            for (TestPartition log : logs.values()) if (isBusy(log)) collect(log.receives(Commands.tick()));
            delivers();
            if (rounds >= MOST_ROUNDS) throw new AssertionError("still busy after " + rounds + " rounds");
        }
    }

    private static boolean isBusy(TestPartition log) {
        return log.engine().nextTimer() != null && !log.engine().nextTimer().isAfter(log.now());
    }

    private void collect(TestPartition log) {
        for (Outgoing message : log.outgoing()) {
            String pair = log.id() + " " + message.to();
            if (message.sequence() <= collected.getOrDefault(pair, 0L)) continue;
            collected.put(pair, message.sequence());
            underway.add(new PendingMessage(log, message));
        }
    }

    /** All that is under way arrives, and what that causes, until nothing is under way. */
    public Cluster delivers() {
        while (!underway.isEmpty()) deliversOne();
        return this;
    }

    /** The message that has been under way for longest arrives. */
    public Cluster deliversOne() {
        PendingMessage pending = underway.remove();
        TestPartition receiver = log(pending.message.to())
                .receives(pending.from.id(), pending.message, lost.getOrDefault(between(pending), 0L));
        pending.from.engine().appended(pending.message.to(), pending.message.sequence());
        collect(receiver);
        return this;
    }

    /** The message that has been under way for longest arrives two times. */
    public Cluster deliversOneTwice() {
        PendingMessage pending = underway.element();
        deliversOne();
        collect(log(pending.message.to()).receives(pending.from.id(), pending.message, 0));
        return this;
    }

    /** Kafka has the message that has been under way for longest, and loses it. */
    public Cluster losesOne() {
        PendingMessage pending = underway.remove();
        pending.from.engine().appended(pending.message.to(), pending.message.sequence());
        lost.put(between(pending), pending.message.sequence());
        return this;
    }

    private static String between(PendingMessage pending) {
        return pending.from.id() + " " + pending.message.to();
    }

    public int underway() {
        return underway.size();
    }
}
