package io.floodgate.processor.simulation;

import io.floodgate.processor.log.LogEngine;
import io.floodgate.processor.log.LogRecord;
import io.floodgate.processor.log.Outcome;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.LogId;
import java.time.Instant;
import java.util.List;

/** One owner of a log, from the last commit to its end. It may live on for a while after another one took its place. */
final class Instance {
    /** What a commit keeps. */
    record Snapshot(Stores stores, int position) {
        static final Snapshot EMPTY =
                new Snapshot(new Stores(new MemoryKeyValues(), new MemoryKeyValues(), new MemoryKeyValues()), 0);

        Stores copy() {
            return new Stores(copy(stores.payloads()), copy(stores.jobs()), copy(stores.entities()));
        }

        private static MemoryKeyValues copy(Object keyValues) {
            return ((MemoryKeyValues) keyValues).copy();
        }
    }

    final LogId log;
    final LogEngine engine;
    private final Cluster cluster;
    private final Stores stores;
    private final Sender sender;
    private int position;
    private boolean polling;
    private boolean looking;
    private long wakesAt = Long.MAX_VALUE;
    private boolean alive = true;
    /** Somebody else owns the log: the next commit will fail. */
    private boolean fenced;

    Instance(Cluster cluster, LogId log, Snapshot from) {
        this.cluster = cluster;
        this.log = log;
        stores = from.copy();
        position = from.position;
        engine = new LogEngine(log, cluster.routing, stores);
        sender = new Sender(cluster, this);
        sender.send(engine.unsent());
        arm();
        pollSoon();
    }

    Stores stores() {
        return stores;
    }

    boolean isAlive() {
        return alive;
    }

    void pollSoon() {
        if (polling || !alive) return;
        polling = true;
        cluster.agenda.after(cluster.chance.below(4), this::poll);
    }

    private void poll() {
        polling = false;
        List<LogRecord> records = cluster.broker.log(log);
        for (int n = 1 + cluster.chance.below(8); n > 0 && alive && position < records.size(); n--)
            carryOut(records.get(position));
        lookSoon();
        if (position < records.size()) pollSoon();
    }

    private void carryOut(LogRecord record) {
        if (!sender.tidy(engine) || cluster.strikes(250)) {
            cluster.crash(this);
            return;
        }
        Outcome outcome = engine.apply(record);
        position++;
        cluster.history.executed(log, record, outcome);
        if (cluster.strikes(250)) {
            cluster.crash(this);
            return;
        }
        outcome.answers().forEach(cluster::reply);
        if (cluster.strikes(250)) {
            cluster.crash(this);
            return;
        }
        sender.send(outcome.outgoing());
        if (cluster.strikes(250)) cluster.crash(this);
        else if (cluster.strikes(150)) cluster.supersede(this);
        else arm();
    }

    /** Every so often: appended messages are deleted, and what is done is committed. */
    void lookSoon() {
        if (looking || !alive) return;
        looking = true;
        cluster.agenda.after(20 + cluster.chance.below(150), () -> {
            looking = false;
            if (alive) look();
        });
    }

    private void look() {
        if (fenced || !sender.tidy(engine)) {
            cluster.crash(this);
            return;
        }
        cluster.commit(log, new Snapshot(new Snapshot(stores, position).copy(), position));
    }

    /** A tick is appended when the earliest timer is due. */
    private void arm() {
        Instant next = engine.nextTimer();
        if (next == null || !alive) return;
        long at = Math.max(next.toEpochMilli(), cluster.agenda.now() + 1);
        if (at >= wakesAt) return;
        wakesAt = at;
        cluster.agenda.at(at, () -> wake(at));
    }

    private void wake(long at) {
        if (at != wakesAt) return;
        wakesAt = Long.MAX_VALUE;
        Instant next = engine.nextTimer();
        if (!alive || next == null) return;
        if (next.toEpochMilli() <= cluster.agenda.now()) cluster.tick(log);
        else arm();
    }

    void fence() {
        fenced = true;
    }

    void die() {
        alive = false;
        sender.cutOff();
    }
}
