package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.kernel.Work.Piece;
import io.floodgate.processor.queue.admin.BulkState.Order;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.transfer.JobTimers;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.AdminCommand.BeginBulk;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.AdminCommand.GetBulk;
import io.floodgate.topics.command.AdminCommand.StopBulk;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Rejection;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many jobs at once: a background task that goes through them by their ids, and shows how far it has
 * come. Ended operations are remembered until there are too many.
 */
public final class BulkJobs implements Entity {
    /** Jobs that one slice changes. */
    static final int SLICE = 100;

    /** Operations remembered, those under way among them. */
    public static final int MOST = 100;

    private static final String KIND = "bulk";

    /** Time until it goes on where grants for its jobs are asked for. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final KeyValues entities;
    private final JobSearch search;
    private final Jobs jobs;
    private final JobTimers timers;
    private final JobActions actions;
    private final Work work;
    private final Undo undo;
    private final Effects out;
    private final Map<String, BulkState> byOperation = new TreeMap<>();

    public BulkJobs(JobSearch search, Jobs jobs, JobTimers timers, JobActions actions, PartitionContext context) {
        this.entities = context.entities();
        this.search = search;
        this.jobs = jobs;
        this.timers = timers;
        this.actions = actions;
        this.work = context.work();
        this.undo = context.undo();
        this.out = context.out();
        context.work().register(KIND, this::slice);
    }

    @Override
    public void load() {
        byOperation.clear();
        byte[] prefix = Keys.allBulk();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            byOperation.put(Keys.nameAtEnd(key), BulkState.STORED.read(value));
            return true;
        });
    }

    public void begin(BeginBulk command) {
        String operation = command.operation();
        if (!byOperation.containsKey(operation)) {
            if (byOperation.size() >= MOST && !forgetOne()) {
                out.reject(Rejection.of(
                        ErrorCode.CONFLICT,
                        "%d bulk operations are under way: wait until one of them has ended.".formatted(MOST)));
                return;
            }
            Order order = new Order(out.nextNumber(), command.action(), asOfNow(command.filter()), out.now(), out.by());
            put(operation, BulkState.begun(order));
            work.begin(KIND, operation, null);
        }
        show(operation);
    }

    /** Returns the filter without jobs that come in later. */
    private JobFilter asOfNow(JobFilter filter) {
        Instant end = out.now().plusMillis(1);
        boolean isOver = filter.until() != null && filter.until().isBefore(end);
        return isOver ? filter : filter.takenIn(filter.since(), end);
    }

    /** The one that began first of those that have ended; false if there is none. */
    private boolean forgetOne() {
        String oldest = byOperation.entrySet().stream()
                .filter(entry -> entry.getValue().endedAt() != null)
                .min(Comparator.comparingLong(entry -> entry.getValue().order().number()))
                .map(Map.Entry::getKey)
                .orElse(null);
        if (oldest == null) return false;
        put(oldest, null);
        return true;
    }

    public void get(GetBulk command) {
        show(command.operation());
    }

    public void stop(StopBulk command) {
        BulkState state = byOperation.get(command.operation());
        if (state != null && state.endedAt() == null) put(command.operation(), state.ended(out.now(), true));
        show(command.operation());
    }

    private void show(String operation) {
        BulkState state = byOperation.get(operation);
        if (state == null) out.reject(Rejection.notFound("operation", operation));
        else out.reply(state.show(operation));
    }

    private byte @Nullable [] slice(Piece piece) {
        BulkState state = byOperation.get(piece.subject());
        if (state == null || state.endedAt() != null) return null;
        // It is not who has this record appended that wants it.
        out.setBy(state.order().by());
        JobSearch.Slice slice = search.slice(state.order().filter(), true, cursor(piece), SLICE);
        JobId last = cursor(piece);
        for (JobRecord found : slice.jobs()) {
            if (state.order().action() == BulkAction.RETRY && actions.asksToRunAgain(found)) {
                put(piece.subject(), state);
                work.begin(KIND, piece.subject(), null, out.now().plus(PAUSE), cursor(last));
                return null;
            }
            state = act(found.id, state);
            last = found.id;
        }
        JobId next = slice.next();
        put(piece.subject(), next == null ? state.ended(out.now(), false) : state);
        return next == null ? null : cursor(next);
    }

    private static byte[] cursor(@Nullable JobId last) {
        return last == null ? new byte[0] : new BinaryOut().job(last).toBytes();
    }

    private static @Nullable JobId cursor(Piece piece) {
        if (piece.cursor().length == 0) return null;
        BinaryIn in = new BinaryIn(piece.cursor());
        return in.job();
    }

    private BulkState act(JobId id, BulkState state) {
        if (jobs.orders().isAside(id)) return state;
        out.about(Quarantine.JOB, id);
        JobRecord job = jobs.find(id);
        if (job != null) timers.catchUp(job);
        // Its time may have come, or another job of this slice may have taken its capacity.
        BulkState after =
                job == null || !search.matches(job, state.order().filter()) ? state : state.with(id, act(job, state));
        out.aboutNothing();
        return after;
    }

    private @Nullable Rejection act(JobRecord job, BulkState state) {
        return switch (state.order().action()) {
            case CANCEL -> actions.cancel(job);
            case RETRY -> actions.retry(job);
            case DELETE -> actions.delete(job);
            case PURGE -> actions.purge(job);
        };
    }

    /** Null for an operation that is forgotten. */
    private void put(String operation, @Nullable BulkState state) {
        if (state == null) entities.delete(Keys.bulk(operation));
        else entities.put(Keys.bulk(operation), BulkState.STORED.write(state));
        BulkState before = keep(operation, state);
        undo.by(() -> keep(operation, before));
    }

    private @Nullable BulkState keep(String operation, @Nullable BulkState state) {
        return state == null ? byOperation.remove(operation) : byOperation.put(operation, state);
    }

    @Override
    public boolean clear(int most) {
        for (String operation : byOperation.keySet().stream().limit(most).toList()) put(operation, null);
        return byOperation.isEmpty();
    }
}
