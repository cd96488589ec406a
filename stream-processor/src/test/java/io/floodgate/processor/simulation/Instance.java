package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.UnknownLogicVersion;
import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.PartitionCommand.Upgrade;
import java.time.Instant;

/** One owner of a partition, from the last commit to its end. It may live on for a while after another one took its place. */
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

    final PartitionId log;
    final PartitionEngine engine;
    private final Cluster cluster;
    private final Stores stores;
    private final Sender sender;
    private final int release;
    private int position;
    private boolean polling;
    private boolean looking;
    private long wakesAt = Long.MAX_VALUE;
    private boolean alive = true;
    /** Another instance owns the partition: the next commit will fail. */
    private boolean fenced;

    /** @param release the newest rules that this owner knows */
    Instance(Cluster cluster, PartitionId log, Snapshot from, int release) {
        this.cluster = cluster;
        this.log = log;
        stores = from.copy();
        position = from.position;
        engine = new PartitionEngine(log, cluster.routing, cluster.curses.over(stores), release);
        // Offsets of the group may be lost, or be older than the state.
        if (cluster.strikes(3)) position = Math.max(0, position - cluster.chance.below(20));
        this.release = release;
        sender = new Sender(cluster, this);
        sender.send(engine.unsent(), () -> {});
        wantRules(cluster.release());
        arm();
        pollSoon();
    }

    /** As the topology does when it opens a partition, and when the operator goes back to a version. */
    void wantRules(int version) {
        if (engine.rules() != version && version <= release)
            cluster.agenda.after(cluster.chance.below(300), () -> {
                if (alive && engine.rules() != version) cluster.append(log, new Upgrade(version, Broker.TOPIC_ID));
            });
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
        for (int n = 1 + cluster.chance.below(8); n > 0 && alive; n--) {
            PartitionRecord record = cluster.broker.read(log, position);
            if (record == null) break;
            carryOut(record);
        }
        lookSoon();
        if (cluster.broker.read(log, position) != null) pollSoon();
    }

    private void carryOut(PartitionRecord record) {
        sender.tidy(engine);
        if (cluster.strikes(250)) {
            cluster.crash(this);
            return;
        }
        boolean again = record.offset() <= engine.position();
        Outcome outcome;
        try {
            outcome = engine.apply(record);
        } catch (UnknownLogicVersion newer) {
            cluster.leaveToNewer(this, record.offset());
            return;
        }
        position = (int) record.offset() + 1;
        if (again) cluster.history.skipped(log, record, outcome);
        else cluster.history.executed(log, record, outcome, engine.rules());
        StepSizes.check(outcome);
        if (cluster.strikes(250)) {
            cluster.crash(this);
            return;
        }
        // A caller with an answer may at once ask another partition about it, which must then have the message.
        sender.send(outcome.outgoing(), () -> outcome.answers().forEach(cluster::reply));
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
        if (fenced) {
            cluster.crash(this);
            return;
        }
        sender.tidy(engine);
        cluster.commit(log, new Snapshot(new Snapshot(stores, position).copy(), position));
    }

    /** A tick is appended when the earliest timer is due. */
    private void arm() {
        Instant next = engine.nextTimer();
        if (next == null || !alive) return;
        long at = Math.max(cluster.clocks.whenIs(log, next.toEpochMilli()), cluster.agenda.now() + 1);
        if (at >= wakesAt) return;
        wakesAt = at;
        cluster.agenda.at(at, () -> wake(at));
    }

    private void wake(long at) {
        if (at != wakesAt) return;
        wakesAt = Long.MAX_VALUE;
        Instant next = engine.nextTimer();
        if (!alive || next == null) return;
        if (next.toEpochMilli() <= cluster.clocks.of(log)) cluster.tick(log);
        else arm();
    }

    /** Kafka deletes what this owner has not read yet; what it has read is committed. */
    void missSome() {
        // What another owner has executed before it died is committed in life before it can be deleted.
        if (fenced || !alive || position < cluster.history.carriedOut(log)) return;
        look();
        if (!alive) return;
        int missed = cluster.chance.below(8);
        int start = Math.min(position + missed, cluster.broker.log(log).size());
        if (start <= engine.position() + 1) return;
        cluster.broker.truncate(log, start);
        cluster.lost.add(log);
    }

    void fence() {
        fenced = true;
    }

    void die() {
        alive = false;
        sender.cutOff();
    }
}
