package io.floodgate.processor.own;

import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.queue.OwnedJobs;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.OwnJobMessage.AskOwn;
import io.floodgate.topics.command.OwnJobMessage.CancelOwn;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.command.OwnJobMessage.PlaceOwn;
import io.floodgate.topics.command.OwnJobMessage.PlacedOwn;
import io.floodgate.topics.command.OwnJobMessage.TellOwners;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that the system makes itself: their owners have them placed in queues, and get notes about them. Owner and queue
 * may be in different partitions; where they are in the same one, all of it happens in one step.
 */
public final class OwnJobs implements Entity {
    /**
     * Most hops of a question: from where a job was, to the directory of its id, to where it is, and one more if it has
     * moved meanwhile.
     */
    private static final int MOST_HOPS = 4;

    private final Map<String, OwnerKind> kinds = new TreeMap<>();
    private final QueueRules queues;
    private final OwnedJobs jobs;
    private final Directory directory;
    private final Routing routing;
    private final Effects out;

    public OwnJobs(QueueRules queues, Directory directory, PartitionContext context) {
        this.queues = queues;
        this.directory = directory;
        jobs = queues.owned();
        routing = context.routing();
        out = context.out();
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(PlaceOwn.class, this::place);
        handlers.on(AskOwn.class, this::answer);
        handlers.on(CancelOwn.class, this::cancel);
        handlers.on(PlacedOwn.class, answer -> at(answer.owner(), kind -> kind.placed(answer)));
        handlers.on(TellOwners.class, message -> message.notes().forEach(note -> at(note.owner(), k -> k.told(note))));
    }

    private void at(JobOwner owner, Consumer<OwnerKind> rule) {
        OwnerKind kind = kinds.get(owner.kind());
        if (kind != null) rule.accept(kind);
    }

    // ---- for owners

    public void add(OwnerKind kind) {
        if (kinds.put(kind.kind(), kind) != null) throw new IllegalStateException("two kinds " + kind.kind());
    }

    /** An owner of this partition. */
    public JobOwner owner(OwnerKind kind, String name, String ticket, boolean wantsResult) {
        return new JobOwner(kind.kind(), out.log(), name, ticket, wantsResult);
    }

    /**
     * The id of a job: the same whenever the step is executed again, and it leads to the queue's partition.
     *
     * @param chance of which job of which owner it is, mixed well
     */
    public static JobId makeId(String queue, Instant time, long chance) {
        return JobId.make(Slot.of(queue), time.toEpochMilli(), chance);
    }

    /** A number in which every part of a text has had its say. */
    public static long mix(String text) {
        long mixed = 0xCBF29CE484222325L;
        for (int i = 0; i < text.length(); i++) mixed = (mixed ^ text.charAt(i)) * 0x100000001B3L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** Has the job placed, in the name of the current identity. {@link OwnerKind#placed} gets the outcome. */
    public void place(String queue, PlaceOwn message) {
        out.tell(routing.ofQueue(queue), queue, message);
    }

    /** Has the job cancelled. {@link OwnerKind#told} gets the outcome, or, if it waits, {@link OwnerKind#placed}. */
    public void cancel(JobOwner owner, JobId job, @Nullable JobId by) {
        out.tell(routing.ofJob(job), job.toString(), new CancelOwn(owner, job, by, 0));
    }

    /** Has the job cancelled unless it has started: then {@link OwnerKind#told} is called with its state. */
    public void cancelUnlessStarted(JobOwner owner, JobId job) {
        out.tell(routing.ofJob(job), job.toString(), new CancelOwn(owner, job, null, 0, true));
    }

    /**
     * Asks for the job's state. {@link OwnerKind#told} gets it, or {@link OwnerKind#placed} if the job waits for
     * capacity.
     */
    public void ask(JobOwner owner, JobId job) {
        out.tell(routing.ofJob(job), job.toString(), new AskOwn(owner, job, 0));
    }

    /** Messages between this partition and that one were lost. */
    public void verify(PartitionId other) {
        kinds.values().forEach(kind -> kind.verify(other));
    }

    // ---- where the queues are

    private void place(PlaceOwn message) {
        JobId id = message.id();
        if (queues.knows(id)) {
            placed(message.owner(), id, false, null);
            return;
        }
        boolean waited = jobs.hasWaited(id);
        Envelope envelope;
        try {
            envelope = EnvelopeReader.readOwn(message.job()).withId(id);
        } catch (UnreadableJob unreadable) {
            placed(message.owner(), id, false, unreadable.rejection());
            return;
        }
        Rejection wrong = reject(envelope);
        if (wrong != null) {
            placed(message.owner(), id, false, wrong);
            return;
        }
        Bounds.Room room = jobs.place(message, envelope);
        boolean waits = !room.isThere() && room.rejection() == null;
        if (!waits || !waited) placed(message.owner(), id, waits, room.rejection());
    }

    /** Rejects a job with a key, which would have to ask the key's home first. */
    private static @Nullable Rejection reject(Envelope envelope) {
        return envelope.terms().unique() == null
                ? null
                : Rejection.of(
                        ErrorCode.INVALID_REQUEST, "A job that is made by a schedule or a workflow cannot be unique.");
    }

    private void placed(JobOwner owner, JobId job, boolean waits, @Nullable Rejection rejection) {
        Rejection why = rejection == null ? null : rejection.shortened();
        out.tell(owner.home(), owner.key(), new PlacedOwn(owner, job, waits, why, out.now()));
    }

    private void answer(AskOwn message) {
        JobOwner owner = message.owner();
        JobId job = message.job();
        OwnerNote note = jobs.find(job);
        if (note != null) tell(note);
        else if (jobs.waits(job)) placed(owner, job, true, null);
        else if (isElsewhere(job, message.hops()))
            out.pass(directory.placeOf(job), job.toString(), new AskOwn(owner, job, message.hops() + 1));
        else tell(gone(owner, job));
    }

    private boolean isElsewhere(JobId job, int hops) {
        return hops < MOST_HOPS && !directory.placeOf(job).equals(out.log());
    }

    private void tell(OwnerNote note) {
        out.tell(note.owner().home(), note.owner().key(), new TellOwners(out.log(), List.of(note)));
    }

    private static OwnerNote gone(JobOwner owner, JobId job) {
        return new OwnerNote(owner, job, Integer.MAX_VALUE, JobState.DISCARDED, true, 0, null, null, null);
    }

    private void cancel(CancelOwn message) {
        JobOwner owner = message.owner();
        JobId job = message.job();
        if (message.spares() && jobs.hasStarted(job)) answer(new AskOwn(owner, job, message.hops()));
        else if (queues.knows(job)) jobs.cancel(job, owner, message.by());
        else if (jobs.leaveLine(job)) placed(owner, job, false, cancelled());
        else if (isElsewhere(job, message.hops())) out.pass(directory.placeOf(job), job.toString(), message.further());
        else tell(gone(owner, job));
    }

    private static Rejection cancelled() {
        return Rejection.of(ErrorCode.CONFLICT, "The job was cancelled while it waited for room.")
                .with("reason", "cancelled");
    }
}
