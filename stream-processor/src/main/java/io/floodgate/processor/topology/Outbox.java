package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Carries messages of one partition to others. A message is deleted once it is appended. */
final class Outbox {
    private final PartitionId log;
    private final PartitionEngine engine;
    private final PartitionWriter writer;
    private final Clock clock;
    private final Map<PartitionId, Receiver> receivers = new LinkedHashMap<>();

    Outbox(PartitionId log, PartitionEngine engine, PartitionWriter writer, Routing routing, Clock clock) {
        this.log = log;
        this.engine = engine;
        this.writer = writer;
        this.clock = clock;
        for (PartitionId to : routing.logs()) {
            Receiver receiver = receiver(to);
            receiver.load();
            receiver.tidy();
        }
    }

    private Receiver receiver(PartitionId to) {
        return receivers.computeIfAbsent(to, id -> new Receiver(log, id, engine, writer, clock));
    }

    /**
     * Adds messages, which leave with the next {@link #tidy}: those for the same partition in one record, which costs
     * almost the same whatever it carries.
     *
     * @param then runs once all of them stand in their partitions, at once if there are none
     */
    void add(List<Outgoing> messages, Runnable then) {
        if (messages.isEmpty()) {
            then.run();
            return;
        }
        AtomicInteger left = new AtomicInteger(messages.size());
        for (Outgoing message : messages) {
            Receiver receiver = receiver(message.to());
            receiver.add(message, () -> {
                if (left.decrementAndGet() == 0) then.run();
            });
            if (receiver.isRecordFull()) receiver.tidy();
        }
    }

    /** Deletes what is appended by now, and sends what waits for its turn; to be called on the stream thread. */
    void tidy() {
        for (Receiver receiver : receivers.values()) if (!receiver.isEmpty()) receiver.tidy();
    }

    /** Returns whether every message is appended and deleted. */
    boolean isEmpty() {
        for (Receiver receiver : receivers.values()) if (!receiver.isEmpty()) return false;
        return true;
    }

    /** Messages that are in memory. */
    int size() {
        int size = 0;
        for (Receiver receiver : receivers.values()) size += receiver.size();
        return size;
    }

    /** Returns the number of partitions that cannot be written to at the moment. */
    int failing() {
        int failing = 0;
        for (Receiver receiver : receivers.values()) if (receiver.isFailing()) failing++;
        return failing;
    }
}
