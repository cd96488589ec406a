package io.floodgate.processor.partition;

import io.floodgate.processor.batch.Batches;
import io.floodgate.processor.cron.Schedules;
import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Alarm;
import io.floodgate.processor.kernel.Alarms;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.kernel.Mail;
import io.floodgate.processor.kernel.Moment;
import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.PartitionPosition;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Staging;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.kernel.UnknownLogicVersion;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.own.OwnJobs;
import io.floodgate.processor.pool.Pools;
import io.floodgate.processor.queue.EnqueueRules;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.queue.QueueState;
import io.floodgate.processor.schema.Schemas;
import io.floodgate.processor.signal.Signals;
import io.floodgate.processor.sink.Sinks;
import io.floodgate.processor.source.Sources;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.Stores;
import io.floodgate.processor.tenant.TenantHomes;
import io.floodgate.processor.unique.UniqueKeys;
import io.floodgate.processor.webhook.Subscriptions;
import io.floodgate.processor.worker.WorkerRules;
import io.floodgate.processor.workflow.Workflows;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.queue.TenantResource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of one log: the state after a record depends on the records before it and on nothing else.
 *
 * <p>A record is executed in steps: one for each timer that is due by its time, then one for what it asks for; a tick
 * asks for a slice of work. The effects of a step are kept or dropped as a whole.
 */
public final class PartitionEngine {
    /** Timers fired before one record: a thousand jobs due at the same second must not hold up the next command. */
    private static final int TIMERS_PER_RECORD = 200;

    /** No command comes with a tick, which could be held up: with each one, what has piled up has to wait for another round trip. */
    private static final int TIMERS_PER_TICK = 600;

    /**
     * Schedules are due together, by the thousand, and each run costs a record in another partition and one back. Fired with ticks
     * only, and so few, they leave room for what others have appended; the next tick follows at once.
     */
    private static final int SCHEDULES_PER_TICK = 10;

    /** The effects of this many timers are sent before the next ones fire: some are answers that callers wait for. */
    private static final int TIMERS_AT_ONCE = 50;

    private final PartitionId log;
    private final Stores base;
    private final Timers timers;
    private final Effects out;
    private final PartitionPosition position;
    private final Progress progress;
    private final QueueRules queues;
    private final Schedules schedules;
    private final UniqueKeys keys;
    private final Workflows workflows;
    private final TenantHomes tenants;
    private final Alarms alarms;
    private final Steps steps;
    private final Failures failures;
    private final Commands commands;

    public PartitionEngine(PartitionId log, Routing routing, Stores stores) {
        this(log, routing, stores, LogicVersion.NEWEST);
    }

    /** @param newest the newest rules that it shall know: those of this release, or, for tests, of another one */
    public PartitionEngine(PartitionId log, Routing routing, Stores stores, int newest) {
        this.log = log;
        base = stores;
        Undo undo = new Undo();
        timers = new Timers(undo);
        Staging staging = new Staging(stores);
        Stores staged = staging.stores();
        Mail mail = new Mail(staged.entities(), undo);
        position = new PartitionPosition(staged.entities(), newest, undo);
        progress = new Progress(position);
        out = new Effects(log, routing, mail, position);
        alarms = new Alarms(position, out);
        Quarantine quarantine = new Quarantine(staged.entities(), undo);
        Work work = new Work(staged.entities(), timers, undo, out);
        Housekeeping housekeeping = new Housekeeping(staged.entities(), timers, undo);
        PartitionContext context = new PartitionContext(staged, routing, timers, work, quarantine, position, undo, out);
        QueueState state = new QueueState(context);
        LimitRules limits = new LimitRules(state.limits(), state::definedAt, context);
        queues = new QueueRules(state, limits, housekeeping, context);
        tenants = new TenantHomes(context);
        Directory directory = new Directory(queues, context);
        EnqueueRules enqueues = new EnqueueRules(queues, directory, context);
        keys = new UniqueKeys(queues, directory, context);
        OwnJobs ownJobs = new OwnJobs(queues, directory, context);
        schedules = new Schedules(ownJobs, context);
        workflows = new Workflows(ownJobs, context);
        Batches batches = new Batches(queues, directory, keys, context);
        List<Entity> entities = List.of(
                position,
                quarantine,
                work,
                housekeeping,
                queues,
                limits,
                new WorkerRules(context),
                new Pools(context),
                new Schemas(context),
                new Subscriptions(context),
                new Sources(context),
                new Sinks(context),
                state.wanted(),
                new Signals(context),
                tenants,
                directory,
                keys,
                batches,
                ownJobs,
                schedules,
                workflows);
        Resetting.register(work, entities, out);
        Operations operations = new Operations(
                position,
                alarms,
                entities,
                queues,
                json -> {
                    schedules.writeFailing(json);
                    workflows.writeTroubled(json);
                },
                context);
        Losses losses = new Losses(directory, queues, limits, tenants, ownJobs);
        Handlers handlers = new Handlers();
        entities.forEach(entity -> entity.register(handlers));
        enqueues.register(handlers);
        operations.register(handlers);
        losses.register(handlers);
        UnansweredRejections unanswered = new UnansweredRejections(out);
        LocalMessages locals = new LocalMessages(handlers, unanswered, out);
        steps = new Steps(staging, position, queues, entities, locals, context);
        failures = new Failures(steps, timers, entities, quarantine, alarms, out);
        InboundMessages arrivals = new InboundMessages(mail, losses, alarms, out);
        commands = new Commands(routing, position, arrivals, handlers, steps, failures, unanswered, out);
        steps.load();
        if (position.version() > newest) throw new UnknownLogicVersion(log, position.version(), newest);
    }

    /** Bounds the time of each step from now on. */
    public PartitionEngine limited(StepLimit limit) {
        steps.limit(limit);
        return this;
    }

    /** Carries out a record; what all of it has caused. */
    public Outcome apply(PartitionRecord record) {
        Outcome all = new Outcome();
        apply(record, all::add);
        return all;
    }

    /**
     * Carries out a record; one that was executed before causes nothing. Infrastructure that fails throws through; a rule
     * that throws is rejected.
     *
     * @param each takes what some timers, and then each command of a batch, have caused, before the next ones are carried
     *     out: together, it may be much
     * @return how many commands it was
     */
    public int apply(PartitionRecord record, Consumer<Outcome> each) {
        if (progress.isBehind(record)) return 0;
        commands.rejectUnknownRules(record);
        Map<String, String> wrong = progress.advanceTo(record);
        Outcome outcome = new Outcome();
        steps.beginRecord();
        out.beginRecord(new Moment(record.offset(), 0, position.time().now()));
        if (!wrong.isEmpty()) mustSucceed(steps.tryTo(null, () -> wrong.forEach(alarms::raise), outcome));
        int most = record.isTick() ? TIMERS_PER_TICK : TIMERS_PER_RECORD;
        for (int fired = 0; fired < most; fired++) {
            Timer timer = timers.due(out.now());
            if (timer == null) break;
            failures.fire(timer, outcome);
            if ((fired + 1) % TIMERS_AT_ONCE == 0) {
                each.accept(outcome);
                outcome = new Outcome();
            }
        }
        if (record.isTick()) fireOfTick(outcome);
        List<PartitionRecord> parts = record.parts();
        for (PartitionRecord part : parts) {
            commands.carryOut(part, outcome);
            each.accept(outcome);
            outcome = new Outcome();
            out.beginPart();
        }
        return parts.size();
    }

    /** Fires timers that have to wait for a tick. */
    private void fireOfTick(Outcome outcome) {
        for (int fired = 0; fired < SCHEDULES_PER_TICK; fired++) {
            Timer schedule = timers.dueSchedule(out.now());
            if (schedule == null) break;
            failures.fire(schedule, outcome);
        }
        Timer slice = timers.dueWork(out.now());
        if (slice != null) failures.fire(slice, outcome);
    }

    private static void mustSucceed(@Nullable RuntimeException failure) {
        if (failure != null) throw failure;
    }

    /** The offset of the last record executed; -1 before the first. */
    public long position() {
        return position.offset();
    }

    /** The version of the rules that the log is executed by. */
    public int rules() {
        return position.version();
    }

    public PartitionSettings settings() {
        return position.settings();
    }

    /** Returns the alarms of this partition that no operator has acknowledged. */
    public List<Alarm> alarms() {
        return position.alarms();
    }

    /** The schedules, for the planner and the metrics. */
    public Schedules schedules() {
        return schedules;
    }

    /** Returns the number of jobs that have keys whose home is here, or had them until they ended. */
    public long uniqueKeys() {
        return keys.count();
    }

    /** Returns the number of tenants with a bound over all queues whose home is here. */
    public long tenantBounds() {
        return tenants.size();
    }

    /** Returns the number of tenants that have used up such a bound, as far as is known here. */
    public long tenantsFull(TenantResource resource) {
        return queues.tenantsFull(resource);
    }

    public int waitingForKeys() {
        return keys.waiting();
    }

    /** The workflows that have their home here. */
    public Workflows workflows() {
        return workflows;
    }

    /** Returns the number of waiters. */
    public int waiters() {
        return queues.waiters();
    }

    /** Returns roughly the memory of the live state. */
    public long memoryBytes() {
        return queues.memoryBytes();
    }

    /** Returns when, by the clock of the brokers, the next timer is due; null when there is none. */
    public @Nullable Instant nextTimer() {
        Instant next = timers.next();
        return next == null ? null : position.time().appendedAt(next);
    }

    /** Returns the time of the last record, by the clocks of the brokers, as far as they are believed. */
    public Instant wallTime() {
        return position.time().wallTime();
    }

    public List<String> queueNames() {
        return queues.names();
    }

    /** Returns the queues that may grow without end. */
    public List<String> unboundedQueues() {
        return queues.unbounded();
    }

    /** Returns the record of the queue on {@code ojs.queue-status}. */
    public Optional<byte[]> status(String queue) {
        return queues.status(queue, position.time().now());
    }

    /** Returns the messages that wait to be appended to other partitions: sent again when a partition is opened. */
    public List<Outgoing> unsent() {
        List<Outgoing> unsent = new ArrayList<>();
        base.entities().scan(Keys.allOutbox(), Keys.after(Keys.allOutbox()), (key, value) -> {
            unsent.add(Outgoing.STORED.read(value));
            return true;
        });
        return unsent;
    }

    /** The next messages for a partition, after a number: at most {@code most}, or {@code mostBytes} bytes. */
    public List<Outgoing> unsent(PartitionId to, long after, int most, long mostBytes) {
        List<Outgoing> unsent = new ArrayList<>();
        long[] bytes = {0};
        base.entities().scan(Keys.outbox(to, after + 1), Keys.outbox(to, Long.MAX_VALUE), (key, value) -> {
            unsent.add(Outgoing.STORED.read(value));
            bytes[0] += value.length;
            return unsent.size() < most && bytes[0] < mostBytes;
        });
        return unsent;
    }

    /** Forgets a message that is in its partition: it need not be sent again. No rule ever looks at the outbox. */
    public void appended(PartitionId to, long sequence) {
        base.entities().withdraw(Keys.outbox(to, sequence));
    }

    /** Recounts everything and names what disagrees: for tests. */
    public List<String> audit() {
        return queues.audit();
    }

    @Override
    public String toString() {
        return "partition " + log;
    }
}
