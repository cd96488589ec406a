package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Quarantine.Subject;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.WaitRegistry;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.queue.bound.WaitingProducer.Stored;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Message.HasRoom;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Turn;
import io.floodgate.topics.command.OwnJobMessage.PlaceOwn;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Producers that wait for capacity in a queue (OJS backpressure §5.2): in the order of {@link ProducerWaitQueue}, a
 * batch for all of its jobs. A waiting producer holds nothing. It is stored as its command, which is executed like any
 * other once its turn has come.
 */
public final class Producers implements Entity {
    /** The most that one step lets in; the rest follows with the next ticks. */
    static final int MOST_AT_ONCE = 100;

    /** Memory of one producer: itself, its position in the wait queue and its timer. */
    private static final long MEMORY = 300;

    private static final String LET_IN = "let-in";
    private static final CommandCodec.Encoded KEPT_ELSEWHERE = new CommandCodec.Encoded("", new byte[0]);

    /** A producer that has waited, and whose command is executed now. */
    private record Resumed(
            long number,
            Instant since,
            boolean isFromElsewhere,
            @Nullable JobId own) {}

    private final Queues queues;
    private final Timers timers;
    private final Work work;
    private final Effects out;
    private final WaitRegistry<WaitingProducer> registry;
    private final Map<String, ProducerWaitQueue> lines = new TreeMap<>();
    private final Map<WaitingProducer.Batch, WaitingProducer> byBatch = new TreeMap<>();
    private final Map<JobId, WaitingProducer> byOwnJob = new TreeMap<>();
    /** Jobs of the system that this step has let in: one that had to wait again is not let in again. */
    private final Set<JobId> tried = new TreeSet<>();

    /** The same by tenant. */
    final TenantsWaiting ofTenants;

    private long bytes;
    private int letIn;
    /** The producer whose command is executed now, after it has waited. */
    private @Nullable Resumed resumed;

    public Producers(Queues queues, PartitionContext context) {
        this.queues = queues;
        this.timers = context.timers();
        this.work = context.work();
        this.out = context.out();
        ofTenants = new TenantsWaiting(lines, queues);
        registry = new WaitRegistry<>(
                context.entities(),
                Keys.allProducers(),
                stored -> Stored.STORED.read(stored).waiting(),
                context.undo(),
                this::enter,
                this::leave);
        context.work().register(LET_IN, piece -> {
            look(piece.subject());
            return null;
        });
    }

    @Override
    public void load() {
        lines.clear();
        byBatch.clear();
        byOwnJob.clear();
        bytes = 0;
        endStep();
        registry.load();
    }

    @Override
    public void save() {
        endStep();
    }

    @Override
    public void rollBack() {
        endStep();
    }

    private void endStep() {
        letIn = 0;
        resumed = null;
        tried.clear();
    }

    public int size() {
        return registry.size();
    }

    public long memoryBytes() {
        return registry.size() * MEMORY;
    }

    public int at(String queue) {
        ProducerWaitQueue line = lines.get(queue);
        return line == null ? 0 : line.size();
    }

    /** The producer that has been waiting for longest at this queue; null if none does. */
    @Nullable
    WaitingProducer first(String queue) {
        ProducerWaitQueue line = lines.get(queue);
        return line == null ? null : line.first();
    }

    /** Returns since when the first producer has been waiting at this queue; null if none does. */
    @Nullable
    public Instant firstSince(String queue) {
        ProducerWaitQueue line = lines.get(queue);
        return line == null ? null : line.first().since();
    }

    /** Returns whether others, that have waited at this queue for longer, come before these jobs. */
    boolean areBefore(Queue queue, Map<String, Long> tenants, RoomForProducers room) {
        ProducerWaitQueue line = lines.get(queue.name);
        if (line == null) return false;
        long number = resumed == null ? Long.MAX_VALUE : resumed.number;
        return line.hasBefore(number, tenants, jobs -> room.isForTenants(queue, jobs));
    }

    /** Returns since when the command at hand has been waiting; null if it has not. */
    @Nullable
    Instant waitingSince() {
        return resumed == null ? null : resumed.since;
    }

    /** Returns whether the jobs of the command at hand were counted as offered when they began to wait. */
    boolean hasBeenOffered() {
        return resumed != null && !resumed.isFromElsewhere;
    }

    /** Returns the ticket; null if too many wait already. */
    @Nullable
    Long wait(String queue, long jobs, long jobBytes, Map<String, Long> tenants, Patient command) {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        long size = encoded.value().length;
        JobId own = command instanceof PlaceOwn place ? place.id() : null;
        ProducerWaitQueue line = lines.get(queue);
        if (own == null ? ProducerLimits.isFull(line, bytes + size) : ProducerLimits.isFullOfOwn(line, size))
            return null;
        long number = resumed == null ? out.nextNumber() : resumed.number;
        Instant since = resumed == null ? out.now() : resumed.since;
        Instant until = out.now().plus(command.maxWait());
        WaitingProducer waiting = new WaitingProducer(
                number, queue, jobs, jobBytes, tenants, since, until, out.takeReplyTo(), size, out.by(), own);
        registry.add(waiting, Stored.STORED.write(new Stored(waiting, encoded)));
        return number;
    }

    /** A job that the system has made does not wait any more; false if it does not wait here. */
    public boolean dropOwn(JobId job) {
        WaitingProducer waiting = byOwnJob.get(job);
        if (waiting != null) drop(waiting);
        return waiting != null;
    }

    /** Returns whether a job that the system has made, and that comes now, has waited: it has its position. */
    public boolean comesAgain(JobId job) {
        if (resumed != null && !job.equals(resumed.own)) resumed = null;
        return resumed != null;
    }

    /** Returns whether this job, which the system has made, waits here. */
    public boolean waitsForRoom(JobId job) {
        return byOwnJob.containsKey(job);
    }

    /** The position of a job that waits for capacity: 1 for the first. */
    public record Place(String queue, int number, Instant since) {}

    /** Null for a job that does not wait here. */
    public @Nullable Place placeOf(JobId own) {
        WaitingProducer waiting = byOwnJob.get(own);
        ProducerWaitQueue line = waiting == null ? null : lines.get(waiting.queue());
        return waiting == null || line == null
                ? null
                : new Place(waiting.queue(), line.placeOf(waiting), waiting.since());
    }

    /** A batch asks, perhaps after it has waited: it does not wait now, but keeps its position. */
    void comes(Prepare asking) {
        leave(asking.coordinator(), asking.batch());
        resumed = null;
        Turn turn = asking.turn();
        if (turn == null || (turn.place() == 0 && !turn.isLast())) return;
        resumed = new Resumed(
                turn.place() == 0 ? Long.MAX_VALUE : turn.place(), out.now().minus(turn.waited()), true, null);
    }

    public void goes() {
        resumed = null;
    }

    /** Returns the position that the batch was given before, or a new one; null if too many wait already. */
    @Nullable
    Long join(String queue, long jobs, long jobBytes, Map<String, Long> tenants, Prepare asking, Turn turn) {
        if (ProducerLimits.isFull(lines.get(queue), bytes)) return null;
        long number = turn.place() == 0 ? out.nextNumber() : turn.place();
        Instant since = out.now().minus(turn.waited());
        Instant until = out.now().plus(turn.left());
        WaitingProducer.Batch batch = new WaitingProducer.Batch(asking.coordinator(), asking.batch());
        WaitingProducer waiting = new WaitingProducer(
                number, queue, jobs, jobBytes, tenants, since, until, null, 0, batch, false, null, null);
        registry.add(waiting, Stored.STORED.write(new Stored(waiting, KEPT_ELSEWHERE)));
        return number;
    }

    void leave(PartitionId coordinator, long batch) {
        WaitingProducer waiting = byBatch.get(new WaitingProducer.Batch(coordinator, batch));
        if (waiting != null) drop(waiting);
    }

    /** Notifies the deciding partition. Producers behind wait until it has asked again, even in vain. */
    private void tell(WaitingProducer waiting, WaitingProducer.Batch batch) {
        registry.quarantine(waiting);
        WaitingProducer told = waiting.toldNow();
        registry.add(told, Stored.STORED.write(new Stored(told, KEPT_ELSEWHERE)));
        out.tell(batch.coordinator(), "batch:" + batch.number(), new HasRoom(batch.number(), out.log()));
    }

    private WaitingProducer enter(WaitingProducer waiting) {
        lines.computeIfAbsent(waiting.queue(), queue -> new ProducerWaitQueue()).add(waiting);
        if (waiting.batch() != null) byBatch.put(waiting.batch(), waiting);
        timers.set(Timer.parked(waiting.until(), waiting.number()));
        if (waiting.own() == null) bytes += waiting.size();
        else byOwnJob.put(waiting.own(), waiting);
        return waiting;
    }

    private void leave(WaitingProducer waiting) {
        ProducerWaitQueue line = lines.get(waiting.queue());
        if (line != null) {
            line.remove(waiting);
            if (line.isEmpty()) lines.remove(waiting.queue());
        }
        if (waiting.batch() != null) byBatch.remove(waiting.batch());
        timers.cancel(Timer.parked(waiting.until(), waiting.number()));
        if (waiting.own() == null) bytes -= waiting.size();
        else byOwnJob.remove(waiting.own());
    }

    private void drop(WaitingProducer waiting) {
        registry.remove(waiting);
        // Producers behind it may have capacity.
        look(waiting.queue());
    }

    /** Has the command executed, with this much time left to wait. */
    private void resume(WaitingProducer waiting, Duration left) {
        out.about(Quarantine.PRODUCER, waiting.number());
        byte[] stored = registry.stored(waiting.number());
        if (stored == null) throw new IllegalStateException("producer %d is not stored".formatted(waiting.number()));
        Patient command = Stored.STORED.read(stored).command();
        drop(waiting);
        out.aboutNothing();
        resumed = new Resumed(waiting.number(), waiting.since(), false, waiting.own());
        out.again(
                command.waiting(left),
                waiting.replyTo(),
                new Quarantine.Subject(Quarantine.PRODUCER, Long.toString(waiting.number())),
                waiting.by());
    }

    /** Writes the producers of a queue that have waited longest, each as one object. */
    public void showFirst(String queue, int most, JsonOut out) {
        ProducerWaitQueue line = lines.get(queue);
        if (line != null) line.first(most).forEach(waiting -> waiting.show(out));
    }

    /** Takes the producer out of wait queue and timers until an operator has decided about it. */
    @Override
    public boolean quarantine(Subject subject) {
        if (!isOfThese(subject)) return false;
        WaitingProducer waiting = registry.find(number(subject));
        if (waiting == null) return true;
        registry.quarantine(waiting);
        // Producers behind it may have capacity.
        look(waiting.queue());
        return true;
    }

    /** One that was quarantined waits again; if its time is up, for the next record. */
    @Override
    public void takeBack(Subject subject) {
        if (isOfThese(subject)) registry.takeBack(number(subject));
    }

    @Override
    public void discard(Subject subject) {
        if (isOfThese(subject)) registry.discard(number(subject));
    }

    private static boolean isOfThese(Subject subject) {
        return subject.kind().equals(Quarantine.PRODUCER);
    }

    private static long number(Subject subject) {
        return Long.parseLong(subject.name());
    }

    /** Executes the command without waiting any more, since its time is up. */
    @Override
    public boolean fire(Timer timer) {
        WaitingProducer waiting = timer.kind() == Timers.Kind.PARKED ? registry.find(timer.high()) : null;
        if (waiting == null) return false;
        out.about(Quarantine.PRODUCER, timer.high());
        // The log that decides about a batch looks after its time itself.
        if (waiting.batch() != null) drop(waiting);
        else resume(waiting, Duration.ZERO);
        return true;
    }

    /** Lets in, at the end of a step, the next producer for which there is capacity now at one of these queues. */
    void letIn(Collection<Queue> changed, RoomForProducers room) {
        resumed = null;
        if (lines.isEmpty()) return;
        for (Queue queue : changed) {
            ProducerWaitQueue line = lines.get(queue.name);
            WaitingProducer first = line == null ? null : line.next(jobs -> room.isForTenants(queue, jobs));
            if (first == null || first.told() || !room.isFor(queue, first.jobs(), first.bytes(), first.own() != null))
                continue;
            if (first.batch() != null) {
                tell(first, first.batch());
                continue;
            }
            if (letIn == MOST_AT_ONCE) {
                lookSoon(queue.name);
                continue;
            }
            if (first.own() != null && !tried.add(first.own())) continue;
            letIn++;
            Duration left = Duration.between(out.now(), first.until());
            resume(first, left.isNegative() ? Duration.ZERO : left);
            return;
        }
    }

    /** Looks at the first producer of the queue with the next tick, whatever happens before. */
    void lookSoon(String queue) {
        if (!work.has(LET_IN, queue)) work.begin(LET_IN, queue, null);
    }

    /** The queue is looked at as this step ends. */
    private void look(String name) {
        Queue queue = queues.find(name);
        if (queue != null) queues.changed(queue);
    }

    /** The requester does not wait any more, and is not answered. */
    public void withdraw(String requester, long correlation) {
        WaitingProducer waiting = registry.find(requester, correlation);
        if (waiting != null) drop(waiting);
    }

    /** The same for everything that it waits for. */
    public void withdrawAll(String requester) {
        registry.of(requester).forEach(this::drop);
    }

    /** Forgets up to this number, quarantined ones too; true once none is left. */
    @Override
    public boolean clear(int most) {
        return registry.clear(most);
    }
}
