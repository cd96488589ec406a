package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Effects.Answer;
import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.kernel.UnknownLogicVersion;
import io.floodgate.processor.simulation.Instance.Snapshot;
import io.floodgate.processor.testing.State;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandBatch;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.ReplyTo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Some partitions, their owners at the moment, and the bad luck between them. */
final class Cluster {
    /** @param at the true time, whatever the clock of the partition's broker said */
    record Append(PartitionId log, int offset, long at) {}

    /** A release to come. It knows one more version of the rules, by which nothing differs but what {@link History} notes. */
    static final int NEXT = LogicVersion.NEWEST + 1;

    static final long BEGINNING = 1_800_000_000_000L;

    final Chance chance;
    final Routing routing;
    final Agenda agenda = new Agenda(BEGINNING);
    final Clocks clocks = new Clocks(agenda);
    /** Every record in the order in which they were appended, over all partitions. */
    final List<Append> appends = new ArrayList<>();

    final History history;
    final Broker broker;
    /** While this is set, messages are late, appends fail, and instances crash. */
    boolean faulty = true;

    /** Whether gateways have so much to do that commands travel together. */
    boolean commandBatches;

    private final Map<PartitionId, List<CommandBatch.Part>> batched = new TreeMap<>();

    /** Logs of which Kafka has deleted records that were never executed. */
    final Set<PartitionId> lost = new TreeSet<>();

    final Curses curses;
    private final List<Instance> zombies = new ArrayList<>();
    private final Map<PartitionId, Snapshot> committed = new TreeMap<>();
    private final Map<PartitionId, Instance> owners = new TreeMap<>();
    /** Where upgrades stand that an owner of an older release has come upon. */
    private final Map<PartitionId, Integer> upgradedAt = new TreeMap<>();

    private int release;
    private Consumer<Answer> clients = answer -> {};

    Cluster(Chance chance, int partitions) {
        this(chance, partitions, LogicVersion.NEWEST, Curses.NONE);
    }

    /** @param rules by which every partition begins */
    Cluster(Chance chance, int partitions, int rules, Curses curses) {
        this.chance = chance;
        this.curses = curses;
        history = new History(curses.oneIn() > 0);
        release = rules;
        routing = new Routing(partitions);
        broker = new Broker(routing.logs(), this::appended);
        for (PartitionId log : routing.logs()) {
            Snapshot beginning = new Snapshot(Snapshot.EMPTY.copy(), 0);
            State.upgrade(beginning.stores(), rules);
            committed.put(log, beginning);
            open(log);
        }
    }

    void listen(Consumer<Answer> listener) {
        clients = listener;
    }

    boolean strikes(int oneIn) {
        return faulty && chance.oneIn(oneIn);
    }

    /** The clock of the partition's broker; after a change of leaders it may be behind. */
    long brokerTime(PartitionId log) {
        return !clocks.exact && strikes(30) ? clocks.of(log) - chance.below(200) : clocks.of(log);
    }

    /** The clock of the machine that the partition is on is set. */
    void stepClock(PartitionId log, long millis) {
        clocks.step(log, millis);
        tick(log);
    }

    void send(PartitionId log, Command command, @Nullable ReplyTo replyTo) {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        send(log, encoded.op(), encoded.value(), replyTo);
    }

    void send(PartitionId log, @Nullable String op, byte[] value, @Nullable ReplyTo replyTo) {
        if (commandBatches && op != null && !chance.oneIn(4))
            commandBatch(log, new CommandBatch.Part(op, value, replyTo, null));
        else agenda.after(chance.below(5), () -> broker.append(log, brokerTime(log), op, value, replyTo, null, 0, 0));
    }

    /** It waits for company, for a while. */
    private void commandBatch(PartitionId log, CommandBatch.Part part) {
        List<CommandBatch.Part> waiting = batched.computeIfAbsent(log, l -> new ArrayList<>());
        waiting.add(part);
        if (waiting.size() > 1) return;
        agenda.after(chance.below(60), () -> {
            CommandCodec.Encoded commandBatch = CommandBatch.encode(Objects.requireNonNull(batched.remove(log)));
            broker.append(log, brokerTime(log), commandBatch.op(), commandBatch.value(), null, null, 0, 0);
        });
    }

    /** What an owner appends by itself. */
    void append(PartitionId log, Command command) {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        broker.append(log, brokerTime(log), encoded.op(), encoded.value(), null, null, 0, 0);
    }

    void tick(PartitionId log) {
        append(log, new Tick());
    }

    void reply(Answer answer) {
        history.replied(answer);
        if (!strikes(15)) agenda.after(chance.below(5), () -> clients.accept(answer));
    }

    private void appended(PartitionId log) {
        appends.add(new Append(log, broker.log(log).size() - 1, agenda.now()));
        Instance owner = owners.get(log);
        if (owner != null) owner.pollSoon();
    }

    private void open(PartitionId log) {
        Snapshot from = committedTo(log);
        // An instance that meets rules that it does not know leaves the partition to those that know them.
        boolean tooNew = from.position() <= upgradedAt.getOrDefault(log, -1);
        int installed = release != LogicVersion.NEWEST && strikes(4) ? LogicVersion.NEWEST : release;
        try {
            owners.put(log, new Instance(this, log, from, tooNew ? NEXT : installed));
        } catch (UnknownLogicVersion rejected) {
            owners.put(log, new Instance(this, log, from, NEXT));
        }
    }

    /** An owner of an older release has come upon an upgrade. */
    void leaveToNewer(Instance instance, long offset) {
        upgradedAt.merge(instance.log, (int) offset, Math::max);
        crash(instance);
    }

    /** From now on, new owners are of this release, and every partition shall be executed by its rules. */
    void install(int newRelease) {
        release = newRelease;
        for (Instance owner : owners.values()) owner.wantRules(newRelease);
    }

    int release() {
        return release;
    }

    private Snapshot committedTo(PartitionId log) {
        return Objects.requireNonNull(committed.get(log));
    }

    void commit(PartitionId log, Snapshot snapshot) {
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
        zombies.add(old);
        open(old.log);
        old.pollSoon();
        agenda.after(chance.below(200), () -> crash(old));
    }

    /** Kafka deletes records that the owner of the partition has not read yet. */
    void loseSome(PartitionId log) {
        zombies.stream().filter(zombie -> zombie.log.equals(log)).forEach(this::crash);
        Instance owner = owners.get(log);
        if (owner != null) owner.missSome();
    }

    boolean owns(PartitionId log) {
        return owners.containsKey(log);
    }

    Instance owner(PartitionId log) {
        Instance owner = owners.get(log);
        if (owner == null) throw new AssertionError("no instance owns partition " + log);
        return owner;
    }

    List<PartitionId> logs() {
        return routing.logs();
    }
}
