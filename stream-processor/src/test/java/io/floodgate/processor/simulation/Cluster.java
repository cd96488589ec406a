package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Effects.Answer;
import io.floodgate.processor.kernel.Rules;
import io.floodgate.processor.kernel.UnknownRules;
import io.floodgate.processor.simulation.Instance.Snapshot;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.LogCommand.Tick;
import io.floodgate.topics.command.ReplyTo;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Some logs, whoever owns them at the moment, and the bad luck between them. */
final class Cluster {
    static final long BEGINNING = 1_800_000_000_000L;

    final Chance chance;
    final Routing routing;
    final Agenda agenda = new Agenda(BEGINNING);
    final History history = new History();
    final Broker broker;
    /** While this is set, messages are late, appends fail, and instances crash. */
    boolean faulty = true;

    private final Map<LogId, Snapshot> committed = new TreeMap<>();
    private final Map<LogId, Instance> owners = new TreeMap<>();
    /** Where upgrades stand that an owner of an older release has come upon. */
    private final Map<LogId, Integer> upgradedAt = new TreeMap<>();

    private int release = Rules.FIRST;
    private Consumer<Answer> clients = answer -> {};

    Cluster(Chance chance, int partitions) {
        this.chance = chance;
        routing = new Routing(partitions);
        broker = new Broker(routing.logs(), this::appended);
        routing.logs().forEach(this::open);
    }

    void listen(Consumer<Answer> listener) {
        clients = listener;
    }

    boolean strikes(int oneIn) {
        return faulty && chance.oneIn(oneIn);
    }

    /** The clock of the log's broker; after a change of leaders it may be behind. */
    long brokerTime() {
        return strikes(30) ? agenda.now() - chance.below(200) : agenda.now();
    }

    void send(LogId log, Command command, @Nullable ReplyTo replyTo) {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        send(log, encoded.op(), encoded.value(), replyTo);
    }

    void send(LogId log, @Nullable String op, byte[] value, @Nullable ReplyTo replyTo) {
        agenda.after(chance.below(5), () -> broker.append(log, brokerTime(), op, value, replyTo, null, 0, 0));
    }

    /** What an owner appends by itself. */
    void append(LogId log, Command command) {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        broker.append(log, brokerTime(), encoded.op(), encoded.value(), null, null, 0, 0);
    }

    void tick(LogId log) {
        append(log, new Tick());
    }

    void reply(Answer answer) {
        history.replied(answer);
        if (!strikes(15)) agenda.after(chance.below(5), () -> clients.accept(answer));
    }

    private void appended(LogId log) {
        Instance owner = owners.get(log);
        if (owner != null) owner.pollSoon();
    }

    private void open(LogId log) {
        Snapshot from = committed.getOrDefault(log, Snapshot.EMPTY);
        // Whoever meets rules that it does not know leaves the log to those who know them.
        boolean tooNew = from.position() <= upgradedAt.getOrDefault(log, -1);
        int installed = strikes(4) ? Rules.FIRST : release;
        try {
            owners.put(log, new Instance(this, log, from, tooNew ? Rules.NEWEST : installed));
        } catch (UnknownRules refused) {
            owners.put(log, new Instance(this, log, from, Rules.NEWEST));
        }
    }

    /** An owner of an older release has come upon an upgrade. */
    void leaveToNewer(Instance instance, long offset) {
        upgradedAt.merge(instance.log, (int) offset, Math::max);
        crash(instance);
    }

    /** From now on, whoever takes over is of this release, and every log shall be carried out by its rules. */
    void install(int newRelease) {
        release = newRelease;
        for (Instance owner : owners.values()) owner.wantRules(newRelease);
    }

    int release() {
        return release;
    }

    void commit(LogId log, Snapshot snapshot) {
        history.committed(log, snapshot.position());
        committed.put(log, snapshot);
    }

    /** What it has done since its last commit is undone; another one starts from there. */
    void crash(Instance instance) {
        if (!instance.isAlive()) return;
        instance.die();
        if (owners.get(instance.log) != instance) return;
        owners.remove(instance.log);
        agenda.after(chance.below(500), () -> open(instance.log));
    }

    /** Another one takes over while the old one has not noticed yet and works on. */
    void supersede(Instance old) {
        if (owners.get(old.log) != old) return;
        old.fence();
        open(old.log);
        old.pollSoon();
        agenda.after(chance.below(200), () -> crash(old));
    }

    boolean owns(LogId log) {
        return owners.containsKey(log);
    }

    Instance owner(LogId log) {
        Instance owner = owners.get(log);
        if (owner == null) throw new AssertionError("nobody owns log " + log);
        return owner;
    }

    List<LogId> logs() {
        return routing.logs();
    }
}
