package io.floodgate.processor.log;

import io.floodgate.processor.batch.Batches;
import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Alarm;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.kernel.Mail;
import io.floodgate.processor.kernel.Moment;
import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.kernel.Staging;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Kind;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.StoreFailure;
import io.floodgate.processor.store.Stores;
import io.floodgate.processor.worker.WorkerRules;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.LogCommand;
import io.floodgate.topics.command.LogCommand.Acknowledge;
import io.floodgate.topics.command.LogCommand.Configure;
import io.floodgate.topics.command.LogCommand.DiscardSetAside;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.LogCommand.Inspect;
import io.floodgate.topics.command.LogCommand.ListDead;
import io.floodgate.topics.command.LogCommand.ListSetAside;
import io.floodgate.topics.command.LogCommand.Reset;
import io.floodgate.topics.command.LogCommand.RetrySetAside;
import io.floodgate.topics.command.LogCommand.Tick;
import io.floodgate.topics.command.LogCommand.Upgrade;
import io.floodgate.topics.command.LogCommand.Withdraw;
import io.floodgate.topics.command.LogSettings;
import io.floodgate.topics.command.Message;
import io.floodgate.topics.command.Message.Leased;
import io.floodgate.topics.command.Message.Lost;
import io.floodgate.topics.command.Message.Missing;
import io.floodgate.topics.command.Message.Place;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Release;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.Message.Undeliverable;
import io.floodgate.topics.command.Message.Unsettled;
import io.floodgate.topics.command.Message.Verify;
import io.floodgate.topics.command.Message.WorkerLost;
import io.floodgate.topics.command.QueueCommand;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.command.WorkerCommand;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state machine of one log: the state after a record depends on the records before it and on nothing else.
 *
 * <p>A record is carried out in steps: one for each timer that is due by its time, then one for what it asks for. The
 * effects of a step are kept or dropped as a whole.
 */
public final class LogEngine {
    private static final Logger LOG = LoggerFactory.getLogger(LogEngine.class);

    /** Timers fired before one record: a thousand jobs due at the same second must not hold up the next command. */
    private static final int TIMERS_PER_RECORD = 200;

    /** A reset is one step, and a step that took longer than a transaction may last would be begun again for ever. */
    private static final long MOST_FORGOTTEN = 50_000;

    private final LogId log;
    private final Routing routing;
    private final Stores base;
    private final Keys keys;
    private final Staging staging;
    private final Timers timers = new Timers();
    private final Effects out;
    private final Mail mail;
    private final Books books;
    private final Housekeeping housekeeping;
    private final QueueRules queues;
    private final Directory directory;
    private final WorkerRules workers;
    private final Batches batches;
    /** Timers whose rule threw: they would throw again before every record, and stop the log. */
    private final Set<Timer> broken = new LinkedHashSet<>();

    /** Queues that this step has done away with. */
    private List<String> gone = List.of();

    public LogEngine(LogId log, Routing routing, Stores stores) {
        this.log = log;
        this.routing = routing;
        base = stores;
        keys = new Keys(log);
        staging = new Staging(stores);
        Stores staged = staging.stores();
        mail = new Mail(staged.entities(), keys);
        out = new Effects(log, routing, mail);
        books = new Books(staged.entities(), keys);
        housekeeping = new Housekeeping(staged.entities(), keys, timers);
        queues = new QueueRules(staged, keys, routing, timers, housekeeping, out);
        directory = new Directory(staged.entities(), keys, routing, queues, out);
        workers = new WorkerRules(staged.entities(), keys, timers, out);
        batches = new Batches(staged.entities(), keys, routing, queues, directory, out);
        load();
    }

    private void load() {
        timers.clear();
        books.load();
        queues.load();
        workers.load();
        housekeeping.load();
        broken.forEach(timers::cancel);
    }

    /** Carries out a record. Infrastructure that fails throws through; a rule that throws is refused. */
    public Outcome apply(LogRecord record) {
        Outcome outcome = new Outcome();
        out.beginRecord(new Moment(record.offset(), books.advance(record.appended())));
        for (int fired = 0; fired < TIMERS_PER_RECORD; fired++) {
            Timer timer = timers.due(out.now());
            if (timer == null) break;
            step(null, () -> fire(timer), failure -> quarantine(timer, failure), outcome);
        }
        step(record.replyTo(), () -> carryOut(record), failure -> refuseBroken(record, failure), outcome);
        return outcome;
    }

    private void step(@Nullable ReplyTo replyTo, Runnable rule, Consumer<RuntimeException> onBug, Outcome outcome) {
        out.beginStep(replyTo);
        List<String> changed;
        try {
            rule.run();
            do {
                deliverLocals();
                queues.serve();
            } while (out.hasLocal()); // who was served may be news to an entity of this log
            changed = queues.finish();
            changed.addAll(gone);
            gone = List.of();
        } catch (StoreFailure infrastructure) {
            throw infrastructure;
        } catch (RuntimeException bug) {
            Instant now = out.now();
            staging.drop();
            load();
            books.advance(now);
            gone = List.of();
            out.beginStep(replyTo);
            onBug.accept(bug);
            changed = List.of();
        }
        books.save();
        staging.keep();
        outcome.add(out, changed);
    }

    private void deliverLocals() {
        for (Effects.Local next = out.nextLocal(); next != null; next = out.nextLocal()) {
            out.setReplyTo(next.replyTo());
            dispatch(next.message());
        }
    }

    private void fire(Timer timer) {
        timers.cancel(timer);
        if (timer.kind() == Kind.WORKER) {
            workers.fire(timer);
            return;
        }
        if (timer.kind() == Kind.HOUSEKEEPING) housekeeping.begin();
        queues.fire(timer);
    }

    private void quarantine(Timer timer, RuntimeException failure) {
        broken.add(timer);
        timers.cancel(timer);
        LOG.error(
                "Timer {} of log {} failed before offset {}; it is left out, and everything else goes on.",
                timer,
                log,
                out.moment().offset(),
                failure);
        announceFailure(timer.kind().name(), failure);
    }

    /** The command would fail again at every replay: it is refused, and the log goes on. */
    private void refuseBroken(LogRecord record, RuntimeException failure) {
        // A message is seen, whatever became of it: its sender will not send it again.
        if (record.from() != null) mail.accept(record.from(), record.sequence());
        LOG.error(
                "Command '{}' at offset {} of log {} failed; its effects were dropped and it is refused.",
                record.op(),
                record.offset(),
                log,
                failure);
        out.refuse(Refusal.of(
                        ErrorCode.INTERNAL_ERROR,
                        "The command failed because of a defect in Floodgate; nothing was changed.")
                .with("log", log.toString())
                .with("offset", record.offset()));
        announceFailure(String.valueOf(record.op()), failure);
    }

    private void announceFailure(String what, RuntimeException failure) {
        out.emit(
                "floodgate.rule_failed",
                log.toString(),
                log.toString(),
                new JsonOut()
                        .beginObject()
                        .field("log", log.toString())
                        .field("offset", out.moment().offset())
                        .field("what", what)
                        .field("failure", failure.getClass().getSimpleName())
                        .endObject());
    }

    private void carryOut(LogRecord record) {
        if (record.from() != null && !mail.accept(record.from(), record.sequence())) return;
        try {
            Command command = CommandCodec.decode(record.op(), record.value());
            if (command instanceof Message && record.from() == null)
                throw new UnreadableCommand("Only logs may send '%s'.".formatted(record.op()));
            dispatch(command);
        } catch (UnreadableCommand unreadable) {
            out.refuse(unreadable.refusal());
        }
        Refusal refusal = out.refusal();
        if (refusal != null && record.replyTo() == null) announceRefused(record, refusal);
    }

    /** Nobody waits for the answer, so the refusal is told to everybody. */
    private void announceRefused(LogRecord record, Refusal refusal) {
        out.emit(
                "floodgate.record_refused",
                log.toString(),
                log.toString(),
                new JsonOut()
                        .beginObject()
                        .field("log", log.toString())
                        .field("offset", record.offset())
                        .field("op", record.op() == null ? "enqueue" : record.op())
                        .field("code", refusal.code().wire())
                        .field("message", refusal.message())
                        .endObject());
    }

    private void dispatch(Command command) {
        switch (command) {
            case QueueCommand c -> dispatch(c);
            case JobCommand c -> {
                if (!queues.apply(c)) directory.passOn(c);
            }
            case WorkerCommand c -> workers.apply(c);
            case LogCommand c -> dispatch(c);
            case Message m -> dispatch(m);
        }
    }

    private void dispatch(QueueCommand command) {
        switch (command) {
            case Enqueue c -> directory.enqueue(c);
            case EnqueueBatch c -> batches.enqueue(c, books.nextNumber());
            case Fetch c -> queues.fetch(c, books.nextNumber());
            case Watch c -> queues.watch(c, books.nextNumber());
            case GetQueue c -> atOwner(c.queue(), c, queues::show);
            case Pause c -> atOwner(c.queue(), c, queues::pause);
            case Resume c -> atOwner(c.queue(), c, queues::resume);
        }
    }

    /** A queue is only ever in one log: what is asked of it elsewhere is passed on. */
    private void atOwner(String queue, QueueCommand command, Consumer<String> rule) {
        LogId owner = routing.ofQueue(queue);
        if (!EnvelopeReader.isQueueName(queue))
            out.refuse(Refusal.of(ErrorCode.INVALID_QUEUE, "No queue can be named '%s'.".formatted(queue)));
        else if (owner.equals(log)) rule.accept(queue);
        else out.pass(owner, queue, command);
    }

    private void dispatch(LogCommand command) {
        switch (command) {
            case Tick c -> out.reply(nothing()); // the timers before it were all
            case Extend c -> queues.extend(c, directory::queueOf);
            case ListDead c -> queues.listDead(c);
            case Reset c -> reset();
            case Upgrade c -> out.reply(nothing());
            case Configure c -> out.reply(nothing());
            case Withdraw c -> out.reply(nothing());
            case Inspect c -> out.reply(nothing());
            case Acknowledge c -> out.reply(nothing());
            case ListSetAside c ->
                out.reply(new JsonOut().beginObject().field("total", 0).endObject());
            case RetrySetAside c -> out.refuse(Refusal.notFound("entry", Long.toString(c.id())));
            case DiscardSetAside c -> out.refuse(Refusal.notFound("entry", Long.toString(c.id())));
        }
    }

    private void dispatch(Message message) {
        switch (message) {
            case Place m -> directory.place(m);
            case Release m -> directory.release(m);
            case Prepare m -> batches.prepare(m);
            case Prepared m -> batches.prepared(m);
            case Settle m -> batches.settle(m);
            case Leased m -> workers.leased(m);
            case WorkerLost m -> queues.workerLost(m.worker());
            case Unsettled m -> {}
            case Lost m -> {}
            case Verify m -> {}
            case Missing m -> {}
            case Undeliverable m -> {}
        }
    }

    private static JsonOut nothing() {
        return new JsonOut().beginObject().endObject();
    }

    /** Forgets everything but the books and the mail, whose numbers other logs rely on. */
    private void reset() {
        long jobs = queues.jobs();
        if (jobs > MOST_FORGOTTEN) {
            out.refuse(Refusal.of(
                            ErrorCode.CONFLICT,
                            "Log %s has %d jobs; no more than %d can be forgotten at once. Start with an empty data directory."
                                    .formatted(log, jobs, MOST_FORGOTTEN))
                    .with("jobs", jobs));
            return;
        }
        queues.sendAway();
        gone = queues.names();
        Stores staged = staging.stores();
        for (KeyValues store : List.of(staged.payloads(), staged.jobs(), staged.entities())) {
            List<byte[]> all = new ArrayList<>();
            store.scan(keys.all(), Keys.after(keys.all()), (key, value) -> {
                if (!keys.isMailOrBooks(key)) all.add(key);
                return true;
            });
            all.forEach(store::delete);
        }
        books.save();
        staging.keep();
        load();
        out.reply(nothing());
    }

    /** When the next timer is due; null when nothing will happen by itself. */
    public @Nullable Instant nextTimer() {
        return timers.next();
    }

    /** The offset of the last record carried out; -1 before the first. */
    public long position() {
        return out.moment().offset();
    }

    /** The version of the rules that the log is carried out by. */
    public int rules() {
        return 1;
    }

    public LogSettings settings() {
        return LogSettings.INITIAL;
    }

    /** What is wrong with this log, until an operator has seen it. */
    public List<Alarm> alarms() {
        return List.of();
    }

    /** What the live state takes in memory, roughly. */
    public long memoryBytes() {
        return 0;
    }

    public List<String> queueNames() {
        return queues.names();
    }

    /** The queue's line on {@code ojs.queue-status}. */
    public Optional<byte[]> status(String queue) {
        return queues.status(queue, books.clock());
    }

    /** What waits to be appended to other logs: sent again when a log is opened. */
    public List<Outgoing> unsent() {
        List<Outgoing> unsent = new ArrayList<>();
        base.entities().scan(keys.allOutbox(), Keys.after(keys.allOutbox()), (key, value) -> {
            unsent.add(Outgoing.read(value));
            return true;
        });
        return unsent;
    }

    /** The message stands in its log: it need not be sent again. No rule ever looks at the outbox. */
    public void appended(LogId to, long sequence) {
        base.entities().delete(keys.outbox(to, sequence));
    }

    /** Recounts everything and names what disagrees: for tests. */
    public List<String> audit() {
        return queues.audit();
    }
}
