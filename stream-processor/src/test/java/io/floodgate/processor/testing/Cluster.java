package io.floodgate.processor.testing;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

/** Several logs in memory and the messages between them, which arrive when the test says so, in order. */
public final class Cluster {
    private record Letter(Log from, Outgoing message) {}

    private final Routing routing;
    private final Map<LogId, Log> logs = new LinkedHashMap<>();
    private final Queue<Letter> underway = new ArrayDeque<>();
    /** Of each pair of logs, the last message that was lost. */
    private final Map<String, Long> lost = new LinkedHashMap<>();

    public Cluster(int partitions) {
        routing = new Routing(partitions);
        for (LogId id : routing.logs()) logs.put(id, new Log(id, routing));
    }

    public Routing routing() {
        return routing;
    }

    public Log log(int partition) {
        return log(routing.logs().get(partition));
    }

    public Log log(LogId id) {
        Log log = logs.get(id);
        if (log == null) throw new IllegalArgumentException("no log " + id);
        return log;
    }

    /** The commands arrive at this log; what it tells others stays under way. */
    public Cluster receives(int partition, Ask... asks) {
        for (Ask ask : asks) {
            Log log = log(partition).receives(ask);
            collect(log);
        }
        return this;
    }

    /** Time passes everywhere. */
    public Cluster after(Duration time) {
        for (Log log : logs.values()) collect(log.after(time));
        return this;
    }

    private void collect(Log log) {
        for (Outgoing message : log.outgoing()) underway.add(new Letter(log, message));
    }

    /** All that is under way arrives, and what that causes, until nothing is under way. */
    public Cluster delivers() {
        while (!underway.isEmpty()) deliversOne();
        return this;
    }

    /** The message that has been under way for longest arrives. */
    public Cluster deliversOne() {
        Letter letter = underway.remove();
        Log receiver = log(letter.message.to())
                .receives(letter.from.id(), letter.message, lost.getOrDefault(between(letter), 0L));
        letter.from.engine().appended(letter.message.to(), letter.message.sequence());
        collect(receiver);
        return this;
    }

    /** The message that has been under way for longest arrives two times. */
    public Cluster deliversOneTwice() {
        Letter letter = underway.element();
        deliversOne();
        collect(log(letter.message.to()).receives(letter.from.id(), letter.message, 0));
        return this;
    }

    /** Kafka has the message that has been under way for longest, and loses it. */
    public Cluster losesOne() {
        Letter letter = underway.remove();
        letter.from.engine().appended(letter.message.to(), letter.message.sequence());
        lost.put(between(letter), letter.message.sequence());
        return this;
    }

    private static String between(Letter letter) {
        return letter.from.id() + " " + letter.message.to();
    }

    public int underway() {
        return underway.size();
    }
}
