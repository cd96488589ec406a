package io.floodgate.processor.queue.tenant;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Quarantine.Subject;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.WaitRegistry;
import io.floodgate.processor.store.Section;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.OwnJobMessage.PlaceOwn;
import io.floodgate.topics.command.ReplyTo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Commands whose jobs lack grants of a tenant, until its home has answered: then they are executed again, as if they came
 * now. Nothing of them has happened yet.
 */
public final class ParkedCommands implements Entity {
    /** Most commands that are parked; further ones are answered as if the bound were full. */
    static final int MOST = 10_000;

    /** Time for which an answer is awaited. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    private static final String NAME = "tenant-parked";

    private final Timers timers;
    private final Effects out;
    private final WaitRegistry<Parked> registry;
    private final Map<GrantKey, TreeMap<Long, Parked>> byKey = new TreeMap<>();
    /** Bounds whose home has not answered in time, while the commands are executed. */
    private final Set<GrantKey> silent = new TreeSet<>();

    /**
     * @param grants that it needs
     * @param own the job, if the system has made it
     * @param coordinator of a batch, and the number of the batch there; null for anything else
     */
    record Parked(
            long number,
            GrantKey key,
            long grants,
            Instant until,
            @Nullable ReplyTo replyTo,
            @Nullable Identity by,
            @Nullable JobId own,
            @Nullable PartitionId coordinator,
            long batch)
            implements WaitRegistry.Registered {}

    private record Stored(Parked parked, CommandCodec.Encoded command) {
        static final StoredForm<Stored> STORED = new StoredForm<>(Stored.class, 1, "a command that lacks grants");
    }

    public ParkedCommands(PartitionContext context) {
        timers = context.timers();
        out = context.out();
        registry = new WaitRegistry<>(
                context.entities(),
                Section.of(NAME).key(""),
                stored -> Stored.STORED.read(stored).parked,
                context.undo(),
                this::enter,
                this::leave);
    }

    @Override
    public void load() {
        byKey.clear();
        silent.clear();
        registry.load();
    }

    private Parked enter(Parked parked) {
        byKey.computeIfAbsent(parked.key, any -> new TreeMap<>()).put(parked.number, parked);
        timers.set(timer(parked));
        return parked;
    }

    private void leave(Parked parked) {
        TreeMap<Long, Parked> own = byKey.get(parked.key);
        if (own != null && own.remove(parked.number) != null && own.isEmpty()) byKey.remove(parked.key);
        timers.cancel(timer(parked));
    }

    private static Timer timer(Parked parked) {
        return Timer.of(NAME, parked.until, Long.toString(parked.number));
    }

    /** Parks the command at hand, which has had no effect yet. */
    public void park(GrantKey key, long grants, Command command) {
        JobId own = command instanceof PlaceOwn place ? place.id() : null;
        Prepare batch = command instanceof Prepare prepare ? prepare : null;
        Parked parked = new Parked(
                out.nextNumber(),
                key,
                grants,
                out.now().plus(LONGEST),
                out.takeReplyTo(),
                out.by(),
                own,
                batch == null ? null : batch.coordinator(),
                batch == null ? 0 : batch.batch());
        registry.add(parked, Stored.STORED.write(new Stored(parked, CommandCodec.encode(command))));
    }

    boolean mayPark(GrantKey key) {
        return registry.size() < MOST && !silent.contains(key);
    }

    boolean isSilent(GrantKey key) {
        return silent.contains(key);
    }

    /** Returns which grants the parked commands need. */
    GrantDemand demand(GrantKey key) {
        TreeMap<Long, Parked> own = byKey.get(key);
        if (own == null) return GrantDemand.NONE;
        long sum = 0;
        for (Parked parked : own.values()) sum += parked.grants;
        return new GrantDemand(sum, own.firstEntry().getValue().grants);
    }

    /** Has the parked commands executed, in the order in which they came. */
    void resume(GrantKey key) {
        TreeMap<Long, Parked> own = byKey.get(key);
        if (own != null) List.copyOf(own.values()).forEach(this::resume);
    }

    private void resume(Parked parked) {
        Subject subject = new Subject(Quarantine.PRODUCER, Long.toString(parked.number));
        byte[] stored = registry.stored(parked.number);
        if (stored == null) throw new IllegalStateException("command %d is not stored".formatted(parked.number));
        registry.remove(parked);
        out.again(Stored.STORED.read(stored).command.decode(), parked.replyTo, subject, parked.by);
    }

    @Override
    public boolean fire(Timer timer) {
        String number = timer.nameFor(NAME);
        if (number == null) return false;
        Parked parked = registry.find(Long.parseLong(number));
        if (parked == null) return true;
        silent.add(parked.key);
        resume(parked.key);
        return true;
    }

    /** Drops the part of a batch that its coordinator has ended. */
    public void drop(PartitionId coordinator, long batch) {
        if (registry.size() > 0) drop(parked -> coordinator.equals(parked.coordinator) && parked.batch == batch);
    }

    /** Drops a job that the system has made; false if it is not parked. */
    public boolean dropOwn(JobId job) {
        return drop(parked -> job.equals(parked.own));
    }

    public boolean has(JobId own) {
        return registry.all().stream().anyMatch(parked -> own.equals(parked.own));
    }

    private boolean drop(Predicate<Parked> which) {
        List<Parked> some = registry.all().stream().filter(which).toList();
        some.forEach(registry::remove);
        return !some.isEmpty();
    }

    @Override
    public void save() {
        silent.clear();
    }

    @Override
    public void rollBack() {
        silent.clear();
    }

    @Override
    public boolean quarantine(Subject subject) {
        if (!subject.kind().equals(Quarantine.PRODUCER)) return false;
        Parked parked = registry.find(Long.parseLong(subject.name()));
        if (parked != null) registry.quarantine(parked);
        return parked != null;
    }

    @Override
    public void takeBack(Subject subject) {
        if (subject.kind().equals(Quarantine.PRODUCER)) registry.takeBack(Long.parseLong(subject.name()));
    }

    @Override
    public void discard(Subject subject) {
        if (subject.kind().equals(Quarantine.PRODUCER)) registry.discard(Long.parseLong(subject.name()));
    }

    @Override
    public boolean clear(int most) {
        return registry.clear(most);
    }
}
