package io.floodgate.processor.worker;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.OutOfReach;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Kind;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.kernel.WorkerName;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.AdminCommand.ListWorkers;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message.Leased;
import io.floodgate.topics.command.Message.WorkerLost;
import io.floodgate.topics.command.Message.WorkerLost.Why;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkerCommand;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.Deregister;
import io.floodgate.topics.command.WorkerCommand.Direct;
import io.floodgate.topics.command.WorkerCommand.Directive;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.command.WorkerCommand.Leave;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The registry of workers. A worker that has sent heartbeats and falls silent is lost (OJS worker protocol §10): the
 * partitions in which it holds leases get a message, and hand its jobs to others.
 */
public final class WorkerRules implements Entity {
    /** A worker without a sign of life for this time is forgotten. */
    private static final Duration FORGOTTEN = Duration.ofHours(2);

    /**
     * Most workers without heartbeats in one partition; beyond that, the one that is silent for longest is forgotten
     * sooner.
     */
    private static final int MOST_STRANGERS = 10_000;

    /** Most workers with one id and different keys. */
    private static final int MOST_NAMED = 100;

    private static final String RUNNING = "running";

    /** Bytes of a list at which it stops growing, since workers may say much about themselves. */
    private static final int FULL_BYTES = 1024 * 1024;

    private final KeyValues entities;
    private final Timers timers;
    private final Effects out;

    public WorkerRules(PartitionContext context) {
        this.entities = context.entities();
        this.timers = context.timers();
        this.out = context.out();
    }

    @Override
    public void load() {
        byte[] prefix = Keys.allWorkers();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            timers.set(timer(Keys.nameAtEnd(key), WorkerRecord.STORED.read(value)));
            return true;
        });
    }

    @Override
    public void register(Handlers handlers) {
        handlers.onEach(WorkerCommand.class, this::apply);
        handlers.on(ListWorkers.class, this::list);
        handlers.on(Leased.class, this::leased);
    }

    private void apply(WorkerCommand command) {
        switch (command) {
            case Beat beat -> beat(WorkerName.of(beat.worker(), out.by()), beat);
            case Leave leave -> leave(WorkerName.of(leave.worker(), out.by()));
            case GetWorker get -> show(get.worker());
            case Direct direct -> direct(direct);
            case Deregister gone -> deregister(gone.worker());
        }
    }

    private void beat(String worker, Beat beat) {
        WorkerRecord known = find(worker);
        boolean back = known == null || known.lastBeat() == null || known.lost();
        WorkerRecord before = known == null ? WorkerRecord.at(out.now()) : known;
        byte[] about = back ? beat.about() : merged(before.about(), beat.about());
        save(worker, known, before.beating(out.now(), about));
        if (back) event("worker.started", worker, data -> data.fieldRaw("about", about));
        // Each of the partitions needs the list of its jobs that the worker has.
        out.reply(JsonOut.object()
                .field("state", before.lost() ? RUNNING : before.directive().wire())
                .field("server_time", out.now())
                .field("logs", names(before.logs()))
                .endObject());
    }

    /** A worker need not say all of itself with each heartbeat: what it has said last counts. */
    private static byte[] merged(byte[] before, byte[] about) {
        JsonOut out = JsonOut.object(before.length + about.length).members(about);
        MemberWalk known = new MemberWalk(before);
        while (known.next()) if (MemberWalk.raw(about, known.name()) == null) known.copyTo(out);
        return out.endObject().toBytes();
    }

    private void leave(String worker) {
        WorkerRecord known = find(worker);
        if (known != null && !known.lost()) lose(worker, known, Why.LEFT);
        out.reply(JsonOut.object().endObject());
    }

    private void show(String id) {
        List<String> named = named(id);
        WorkerRecord known = named.isEmpty() ? null : find(named.getFirst());
        if (known == null) {
            out.reject(Rejection.notFound("worker", Limits.echo(id)));
            return;
        }
        JsonOut shown = new JsonOut();
        write(named.getFirst(), known, shown);
        out.reply(shown);
    }

    private void write(String worker, WorkerRecord known, JsonOut shown) {
        shown.beginObject()
                .field("worker_id", WorkerName.id(worker))
                .optional("key", WorkerName.key(worker))
                .field("state", known.left() ? "left" : known.lost() ? "lost" : RUNNING)
                .optional("last_heartbeat_at", known.lastBeat())
                .field("started_at", known.since())
                .fieldRaw("about", known.about())
                .field("directive", known.directive().wire())
                .field("logs", names(known.logs()))
                .endObject();
    }

    private static List<String> names(List<PartitionId> logs) {
        return logs.stream().map(PartitionId::toString).toList();
    }

    /** Lists workers by name, a page at a time. */
    private void list(ListWorkers command) {
        int limit = Math.clamp(command.limit(), 1, ListWorkers.MAX_LIMIT);
        byte[] prefix = Keys.allWorkers();
        byte[] from = command.after() == null ? prefix : Work.after(Keys.worker(command.after()));
        JsonOut lines = new JsonOut(4_096);
        String[] last = {null, null};
        int[] count = {0};
        entities.scan(from, Keys.after(prefix), (key, value) -> {
            if (count[0] == limit || lines.length() >= FULL_BYTES) {
                last[1] = last[0];
                return false;
            }
            last[0] = Keys.nameAtEnd(key);
            write(last[0], WorkerRecord.STORED.read(value), lines);
            lines.newLine();
            count[0]++;
            return true;
        });
        JsonOut head = JsonOut.object(lines.length() + 300)
                .field("present", timers.workers())
                .optional("next", last[1]);
        out.reply(head.endObject().newLine().append(lines));
    }

    /** The worker gets it with its next heartbeat. */
    private void direct(Direct command) {
        List<String> present = named(command.worker());
        present.removeIf(name -> !isPresent(name));
        if (present.isEmpty()) {
            out.reject(Rejection.notFound("worker", Limits.echo(command.worker())));
            return;
        }
        for (String name : present) direct(name, command.directive());
        show(command.worker());
    }

    private boolean isPresent(String name) {
        WorkerRecord known = find(name);
        return known != null && !known.lost();
    }

    private void direct(String name, Directive directive) {
        WorkerRecord known = find(name);
        if (known == null || known.directive() == directive) return;
        save(name, known, known.directed(directive));
        event(
                directive == Directive.RUNNING ? "worker.resumed" : "worker.quiet",
                name,
                data -> data.field("directive", directive.wire()));
    }

    /** One that sends heartbeats is there, whatever an operator thinks. */
    private void deregister(String worker) {
        List<String> named = named(worker);
        if (named.isEmpty()) {
            out.reject(Rejection.notFound("worker", Limits.echo(worker)));
            return;
        }
        if (named.stream().anyMatch(this::beats)) {
            out.reject(Rejection.of(
                            ErrorCode.CONFLICT,
                            "Worker '%s' has sent a heartbeat within %d seconds: stop it, or tell it to stop, first."
                                    .formatted(Limits.echo(worker), OutOfReach.HEARTBEAT_TIMEOUT.toSeconds()))
                    .with("worker_id", Limits.echo(worker))
                    .with("current_state", RUNNING));
            return;
        }
        for (String name : named) {
            WorkerRecord known = find(name);
            if (known != null && !known.lost()) lose(name, known, Why.DEREGISTERED);
            cancelTimers(name);
            entities.delete(Keys.worker(name));
        }
        out.reply(JsonOut.object()
                .field("deregistered", true)
                .field("worker_id", worker)
                .endObject());
    }

    private boolean beats(String name) {
        WorkerRecord known = find(name);
        return known != null && !known.lost() && known.lastBeat() != null;
    }

    /** Returns all workers that call themselves so; operators do not distinguish them by their keys. */
    private List<String> named(String id) {
        List<String> names = new ArrayList<>();
        if (find(id) != null) names.add(id);
        byte[] prefix = Keys.worker(WorkerName.withAnyKey(id));
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            String name = Keys.nameAtEnd(key);
            if (WorkerName.id(name).equals(id)) names.add(name);
            return names.size() < MOST_NAMED;
        });
        return names;
    }

    private void leased(Leased message) {
        WorkerRecord known = find(message.worker());
        WorkerRecord before = known == null ? WorkerRecord.at(out.now()) : known;
        save(message.worker(), known, before.alsoIn(out.now(), message.log()));
    }

    /** The worker's time is up: it is silent, or not worth remembering. */
    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Kind.WORKER && timer.kind() != Kind.STRANGER) return false;
        out.about(Quarantine.WORKER, timer.name());
        WorkerRecord known = find(timer.name());
        if (known != null) timeIsUp(timer, known);
        return true;
    }

    private void timeIsUp(Timer timer, WorkerRecord known) {
        boolean beats = known.lastBeat() != null && !known.lost();
        if (beats && OutOfReach.was(timer.at(), out.now())) save(timer.name(), known, known.silentSince(out.now()));
        else if (beats) lose(timer.name(), known, Why.SILENT);
        else entities.delete(Keys.worker(timer.name()));
    }

    @Override
    public boolean quarantine(Quarantine.Subject subject) {
        if (!subject.kind().equals(Quarantine.WORKER)) return false;
        cancelTimers(subject.name());
        return true;
    }

    @Override
    public void takeBack(Quarantine.Subject subject) {
        WorkerRecord known = subject.kind().equals(Quarantine.WORKER) ? find(subject.name()) : null;
        if (known != null) timers.set(timer(subject.name(), known));
    }

    @Override
    public void discard(Quarantine.Subject subject) {
        if (subject.kind().equals(Quarantine.WORKER)) entities.delete(Keys.worker(subject.name()));
    }

    @Override
    public boolean clear(int most) {
        List<String> some = new ArrayList<>();
        byte[] prefix = Keys.allWorkers();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            some.add(Keys.nameAtEnd(key));
            return some.size() < most;
        });
        for (String worker : some) {
            cancelTimers(worker);
            entities.delete(Keys.worker(worker));
        }
        return some.size() < most;
    }

    private void cancelTimers(String worker) {
        timers.cancelAll(Kind.WORKER, worker);
        timers.cancelAll(Kind.STRANGER, worker);
    }

    private void lose(String worker, WorkerRecord known, Why why) {
        for (PartitionId log : known.logs())
            out.tell(log, "worker:" + WorkerName.id(worker), new WorkerLost(worker, why));
        save(worker, known, known.gone(out.now(), why != Why.SILENT || known.isStopping()));
        String reason = why == Why.SILENT ? "heartbeat_timeout" : why.wire();
        event("worker.stopped", worker, data -> data.field("reason", reason));
    }

    private void event(String type, String worker, Consumer<JsonOut> more) {
        String id = WorkerName.id(worker);
        JsonOut data = JsonOut.object().field("worker_id", id);
        more.accept(data);
        out.emit(type, id, "worker:" + id, data.endObject());
    }

    private @Nullable WorkerRecord find(String worker) {
        byte[] stored = entities.get(Keys.worker(worker));
        return stored == null ? null : WorkerRecord.STORED.read(stored);
    }

    private void save(String worker, @Nullable WorkerRecord before, WorkerRecord after) {
        if (before != null) timers.cancel(timer(worker, before));
        timers.set(timer(worker, after));
        entities.put(Keys.worker(worker), WorkerRecord.STORED.write(after));
        Timer tooMany = timers.strangerBeyond(MOST_STRANGERS);
        if (tooMany != null) {
            timers.cancel(tooMany);
            entities.delete(Keys.worker(tooMany.name()));
        }
    }

    private static Timer timer(String worker, WorkerRecord known) {
        Instant beat = known.lost() ? null : known.lastBeat();
        // mutant: worker-lost-at
        return beat == null
                ? Timer.stranger(known.seen().plus(FORGOTTEN), worker)
                : Timer.worker(beat.plus(OutOfReach.HEARTBEAT_TIMEOUT), worker);
    }
}
