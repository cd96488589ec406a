package io.floodgate.processor.batch;

import static java.util.stream.Collectors.joining;

import io.floodgate.processor.batch.BatchState.Part;
import io.floodgate.processor.batch.BatchState.Patience;
import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Kind;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.queue.TakenIds;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.unique.UniqueKeys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message.Claim;
import io.floodgate.topics.command.Message.HasRoom;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.Message.Turn;
import io.floodgate.topics.command.Message.Unsettled;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.UniqueMessage.HolderCancelled;
import io.floodgate.topics.command.UniqueMessage.KeysClaimed;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Batches: stored whole or not at all (OJS HTTP binding §9.2).
 *
 * <p>When all its queues live in this log, a batch is one step. Otherwise this log coordinates:
 *
 * <pre>
 *   coordinator        participants
 *     Prepare  ──────▶  reserve jobs and ids, unseen but counted
 *              ◀──────  Prepared, or rejected and nothing reserved
 *     (all prepared: the batch is stored, and its sender told so)
 *     Settle   ──────▶  let them go into their queues, or drop them
 * </pre>
 *
 * A batch that can wait for room asks all of them at once first, and should one of them have none, one after the other; it
 * stands in the line of the first that has none, and holds nothing meanwhile.
 *
 * <p>A batch that would be too much for a step comes in parts, each of which is held like that until its sender has heard of
 * all, and has them stored together.
 *
 * <p>Whoever has not answered after a while has rejected, and a participant that hears nothing asks: so every batch is settled,
 * whoever crashes, and whatever Kafka loses.
 */
public final class Batches implements Entity {
    /** A participant that is alive answers within milliseconds, and one that restarts within seconds. */
    static final Duration PREPARED_WITHIN = Duration.ofMinutes(1);

    /** What must fit into a record, with what stands around it. */
    static final long PART_BYTES = Topics.MAX_RECORD_BYTES - 1024L * 1024;

    /** What has been held here is stored, or dropped, a part at a time. */
    private static final String STORE = "store-held";

    private static final String DROP = "drop-held";

    private final KeyValues entities;
    private final Routing routing;
    private final QueueRules queues;
    private final Directory directory;
    private final UniqueKeys keys;
    private final Timers timers;
    private final Work work;
    private final Reservations reservations;
    private final Decisions decisions;
    private final PatientBatches patient;
    private final UniqueBatches unique;
    private final Effects out;

    public Batches(QueueRules queues, Directory directory, UniqueKeys keys, PartitionContext context) {
        this.keys = keys;
        unique = new UniqueBatches(this, keys, queues, context);
        this.entities = context.entities();
        this.routing = context.routing();
        this.queues = queues;
        this.directory = directory;
        this.timers = context.timers();
        this.out = context.out();
        this.work = context.work();
        reservations = new Reservations(queues, directory, context);
        decisions = new Decisions(context.entities(), context.work(), context.out());
        patient = new PatientBatches(context.entities(), context.undo());
        context.work().register(STORE, piece -> endNext(piece, true));
        context.work().register(DROP, piece -> endNext(piece, false));
    }

    /** A job of the batch, its id, its own bytes, and whether the id has to be claimed. */
    record Member(JobId id, Envelope envelope, byte[] job, boolean claims) {
        static @Nullable Member read(byte[] job, boolean claims) throws UnreadableJob {
            Envelope envelope = EnvelopeReader.readBatched(job);
            JobId id = envelope.id();
            return id == null ? null : new Member(id, envelope, job, claims);
        }
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(EnqueueBatch.class, c -> enqueue(c, out.nextNumber()));
        handlers.on(HoldRoom.class, c -> holdRoom(c, out.nextNumber()));
        handlers.on(HoldBatch.class, c -> hold(c, out.nextNumber()));
        handlers.on(EndHold.class, this::endHold);
        handlers.on(Withdraw.class, c -> {
            withdraw(c);
            queues.withdraw(c);
        });
        handlers.on(Prepare.class, this::prepare);
        handlers.on(Prepared.class, this::prepared);
        handlers.on(Settle.class, this::settle);
        handlers.on(HasRoom.class, this::hasRoom);
        handlers.on(Unsettled.class, this::unsettled);
        handlers.on(KeysClaimed.class, unique::claimed);
        handlers.on(HolderCancelled.class, unique::cancelled);
    }

    // ---- time

    @Override
    public void load() {
        all().forEach((number, batch) -> wake(number, batch.until));
        patient.load();
        unique.load();
        reservations.load();
    }

    private Map<Long, BatchState> all() {
        Map<Long, BatchState> all = new TreeMap<>();
        byte[] prefix = Keys.allBatches();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            all.put(Keys.numberAtEnd(key), BatchState.read(value));
            return true;
        });
        return all;
    }

    private void wake(long number, Instant until) {
        timers.set(Timer.batch(until, Long.toString(number)));
    }

    private void save(long number, BatchState batch) {
        entities.put(Keys.batch(number), batch.write());
        wake(number, batch.until);
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Kind.BATCH) return false;
        if (timer.name().indexOf('#') >= 0) reservations.ask(timer.name());
        else giveUp(Long.parseLong(timer.name()));
        return true;
    }

    private void giveUp(long number) {
        out.about(Quarantine.BATCH, Long.toString(number));
        byte[] stored = entities.get(Keys.batch(number));
        if (stored == null) {
            unique.giveUp(number);
            return;
        }
        BatchState batch = BatchState.read(stored);
        if (unique.isDecided(number)) {
            // It is stored for certain: whoever has to make way is told again.
            setUntil(number, batch, out.now().plus(PREPARED_WITHIN));
            unique.cancelsFirst(number);
            return;
        }
        if (batch.patience != null && batch.patience.standing) {
            // mutant: batch-asks-last
            askForTheLastTime(number, batch, batch.patience);
            return;
        }
        batch.rejection = Rejection.of(
                ErrorCode.BACKEND_UNAVAILABLE,
                "The batch was not stored: a part of Floodgate that has to take part did not answer within %s. Try again."
                        .formatted(PREPARED_WITHIN));
        settle(number, batch);
    }

    @Override
    public boolean quarantine(Quarantine.Subject subject) {
        if (!subject.kind().equals(Quarantine.BATCH)) return false;
        timers.cancelAll(Kind.BATCH, subject.name());
        return true;
    }

    @Override
    public void takeBack(Quarantine.Subject subject) {
        if (subject.kind().equals(Quarantine.BATCH)) timers.set(Timer.batch(out.now(), subject.name()));
    }

    @Override
    public boolean clear(int most) {
        List<Long> some = all().keySet().stream().limit(most).toList();
        for (long number : some) {
            entities.delete(Keys.batch(number));
            timers.cancelAll(Kind.BATCH, Long.toString(number));
            patient.forget(number);
        }
        return some.size() < most && reservations.clear(most) && decisions.clear(most) && unique.clear(most);
    }

    // ---- whoever sends a batch

    /** @param number of this batch among those of this log, should it take more than one step */
    private void enqueue(EnqueueBatch batch, long number) {
        List<Member> members;
        try {
            rejectTooLarge(batch);
            members = read(batch.jobs(), batch.madeIds(), 0);
        } catch (UnreadableJob unreadable) {
            out.reject(unreadable.rejection());
            return;
        }
        Map<PartitionId, Prepare> parts = split(members, number);
        boolean here = parts.size() == 1 && parts.containsKey(out.log());
        if (UniqueBatches.areUnique(members)) unique.enqueue(batch, members, number, here);
        else if (here) storeHere(members, batch);
        else coordinate(members, parts, number, batch, false);
    }

    /** @param number of this part among all batches of this log */
    private void hold(HoldBatch part, long number) {
        try {
            List<Member> members = read(part.jobs(), part.madeIds(), part.first());
            if (UniqueBatches.areUnique(members)) unique.hold(part, members, number);
            else holdMembers(part, members, number);
        } catch (UnreadableJob unreadable) {
            out.reject(unreadable.rejection());
        }
    }

    private void holdMembers(HoldBatch part, List<Member> members, long number) {
        Map<PartitionId, Prepare> prepares = split(members, number);
        prepares.replaceAll((log, prepare) -> prepare.in(part.room()));
        coordinate(members, prepares, number, null, true);
    }

    /** @param number of this room among all batches of this log: it is asked for, waits and is held as if it were a batch */
    private void holdRoom(HoldRoom room, long number) {
        for (QueueDemand demand : room.demands()) {
            if (EnvelopeReader.isQueueName(demand.queue())) continue;
            out.reject(Rejection.of(
                    ErrorCode.INVALID_QUEUE, "No queue can be named '%s'.".formatted(Limits.echo(demand.queue()))));
            return;
        }
        coordinate(List.of(), split(room, number), number, room, true);
    }

    private void rejectTooLarge(EnqueueBatch batch) throws UnreadableJob {
        long bytes = batch.jobs().stream().mapToLong(job -> job.length).sum();
        if (bytes > EnqueueBatch.MAX_BYTES)
            throw new UnreadableJob(Rejection.of(
                    ErrorCode.BATCH_SIZE_EXCEEDED,
                    "The batch has %d bytes; at most %d are accepted.".formatted(bytes, EnqueueBatch.MAX_BYTES)));
        int jobs = batch.jobs().size();
        if (jobs > Limits.JOBS_OF_A_BATCH)
            throw new UnreadableJob(Rejection.of(
                    ErrorCode.BATCH_SIZE_EXCEEDED,
                    "The batch has %d jobs; at most %d are accepted.".formatted(jobs, Limits.JOBS_OF_A_BATCH)));
    }

    /** @param first the position of the first of these jobs */
    private List<Member> read(List<byte[]> jobs, boolean madeIds, int first) throws UnreadableJob {
        if (jobs.isEmpty())
            throw new UnreadableJob(Rejection.of(ErrorCode.INVALID_REQUEST, "A batch needs at least one job."));
        List<Member> members = new ArrayList<>(jobs.size());
        Set<JobId> seen = new LinkedHashSet<>();
        for (int i = 0; i < jobs.size(); i++) {
            Rejection rejection;
            try {
                Envelope envelope = EnvelopeReader.readBatched(jobs.get(i));
                JobId id = envelope.id();
                if (id != null && seen.add(id)) {
                    members.add(new Member(id, envelope, jobs.get(i), !(madeIds && isMadeFor(id, envelope))));
                    continue;
                }
                rejection = id == null
                        ? Rejection.of(ErrorCode.INVALID_REQUEST, "A job of a batch needs an id.")
                        : TakenIds.duplicate(id);
            } catch (UnreadableJob unreadable) {
                rejection = unreadable.rejection();
            }
            throw new UnreadableJob(rejection
                    .withMessage("Batch refused: job at index %d: %s".formatted(first + i, rejection.message()))
                    .with("index", first + i));
        }
        return members;
    }

    /** An id that leads to another log than the queue's was not made for it, whatever the sender says. */
    private boolean isMadeFor(JobId id, Envelope envelope) {
        return routing.ofJob(id).equals(routing.ofQueue(envelope.queue()));
    }

    /** If an id of these is taken already. */
    @Nullable
    Rejection rejectTaken(List<Member> members) {
        for (Member member : members) {
            Rejection taken = member.claims ? directory.rejectTaken(member.id) : directory.rejectSentTwice(member.id);
            if (taken != null) return taken;
        }
        return null;
    }

    private void storeHere(List<Member> members, EnqueueBatch batch) {
        Rejection taken = rejectTaken(members);
        if (taken != null) {
            // mutant: local-batch-refused
            out.reject(taken);
            return;
        }
        Bounds.Room room = queues.bounds().makeRoom(envelopesOf(members), batch);
        if (room.rejection() != null) out.reject(room.rejection());
        if (!room.isThere()) return;
        JsonOut tails = new JsonOut(members.size() * 256);
        for (Member member : members)
            tails.raw(queues.admit(member.envelope, member.id, false)).newLine();
        for (byte[] load : queues.bounds().loads(queuesOf(members)))
            tails.raw(load).newLine();
        out.reply(tails);
    }

    static List<Envelope> envelopesOf(List<Member> members) {
        return members.stream().map(Member::envelope).toList();
    }

    static Set<String> queuesOf(List<Member> members) {
        Set<String> queues = new LinkedHashSet<>();
        for (Member member : members) queues.add(member.envelope.queue());
        return queues;
    }

    // ---- the coordinator

    /** What each log has to prepare. An id is claimed where it says it lives, whichever log its queue is in. */
    private Map<PartitionId, Prepare> split(List<Member> members, long number) {
        Map<PartitionId, Prepare> parts = new LinkedHashMap<>();
        Map<PartitionId, List<byte[]>> jobs = new LinkedHashMap<>();
        Map<PartitionId, List<Claim>> claims = new LinkedHashMap<>();
        for (Member member : members) {
            PartitionId owner = routing.ofQueue(member.envelope.queue());
            jobs.computeIfAbsent(owner, log -> new ArrayList<>()).add(member.job);
            if (member.claims)
                claims.computeIfAbsent(routing.ofJob(member.id), log -> new ArrayList<>())
                        .add(new Claim(member.id, member.envelope.queue()));
        }
        Set<PartitionId> logs = new LinkedHashSet<>(jobs.keySet());
        logs.addAll(claims.keySet());
        for (PartitionId log : logs)
            parts.put(
                    log,
                    new Prepare(
                            number, out.log(), jobs.getOrDefault(log, List.of()), claims.getOrDefault(log, List.of())));
        return parts;
    }

    private Map<PartitionId, Prepare> split(HoldRoom room, long number) {
        Map<PartitionId, List<QueueDemand>> demands = new LinkedHashMap<>();
        for (QueueDemand demand : room.demands())
            demands.computeIfAbsent(routing.ofQueue(demand.queue()), log -> new ArrayList<>())
                    .add(demand);
        Map<PartitionId, Prepare> parts = new LinkedHashMap<>();
        demands.forEach((log, own) -> parts.put(log, new Prepare(number, out.log(), own)));
        return parts;
    }

    /**
     * @param whole what can wait; null for a part of a batch
     * @param held until its sender says what becomes of it
     */
    private void coordinate(
            List<Member> members, Map<PartitionId, Prepare> parts, long number, @Nullable Patient whole, boolean held) {
        for (Prepare prepare : parts.values()) {
            long bytes = prepare.bytes();
            if (bytes > PART_BYTES) {
                out.reject(Reservations.tooLarge("A part", bytes, PART_BYTES));
                return;
            }
        }
        Map<PartitionId, List<Integer>> positions = new LinkedHashMap<>();
        parts.keySet().forEach(log -> positions.put(log, new ArrayList<>()));
        for (int i = 0; i < members.size(); i++) {
            List<Integer> ofOwner =
                    positions.get(routing.ofQueue(members.get(i).envelope.queue()));
            if (ofOwner != null) ofOwner.add(i);
        }
        List<Part> participants = new ArrayList<>();
        positions.forEach((log, own) -> participants.add(new Part(log, own)));
        Patience patience = whole == null ? null : patienceOf(whole, number);
        // Always in the same order: of two batches that want the same, one is ahead everywhere.
        if (patience != null) participants.sort(Comparator.comparing(part -> part.log));
        // mutant: batch-times-out
        BatchState batch =
                new BatchState(out.replyTo(), participants, held, out.now().plus(PREPARED_WITHIN));
        batch.patience = patience;
        save(number, batch);
        out.setReplyTo(null);
        for (Part part : participants) ask(number, batch, part, parts);
    }

    private @Nullable Patience patienceOf(Patient batch, long number) {
        boolean waits = !batch.maxWait().isZero() && patient.keep(number, batch, out.replyTo(), out.by());
        return waits ? new Patience(out.now(), out.now().plus(batch.maxWait())) : null;
    }

    private void ask(long number, BatchState batch, Part part, Map<PartitionId, Prepare> parts) {
        Prepare whole = parts.get(part.log);
        if (whole == null)
            throw new IllegalStateException("batch %d asks for nothing of %s".formatted(number, part.log));
        Prepare prepare = unique.replacing(number, part.log, whole);
        Turn turn = batch.patience == null ? null : batch.patience.turn(part, out.now());
        out.tell(part.log, "batch:" + number, prepare.on(turn));
    }

    private void prepared(Prepared message) {
        byte[] stored = entities.get(Keys.batch(message.batch()));
        if (stored == null) return; // given up; whoever has reserved something for it is told, or asks
        BatchState batch = BatchState.read(stored);
        Rejection rejection = message.rejection();
        // That it can never fit is what its sender has to know, whatever else is wrong with it now.
        boolean never = rejection != null && rejection.code() == ErrorCode.BATCH_EXCEEDS_BOUND;
        if (never) batch.rejection = rejection;
        batch.answer(message);
        if (batch.tailBytes() > PART_BYTES && batch.rejection == null)
            batch.rejection = Reservations.tooLarge("The answer", batch.tailBytes(), PART_BYTES);
        if (!batch.isComplete()) goOn(message.batch(), batch);
        else if (batch.rejection == null && batch.lacksRoom() != null) giveBack(message.batch(), batch);
        else if (batch.held && batch.rejection == null) hold(message.batch(), batch);
        else if (batch.rejection == null && unique.cancelsFirst(message.batch())) save(message.batch(), batch);
        else settle(message.batch(), batch);
    }

    private void goOn(long number, BatchState batch) {
        if (batch.patience != null && batch.patience.oneByOne) askNext(number, batch);
        else save(number, batch);
    }

    // ---- a batch that can wait

    /**
     * One of those asked has no room: what others have reserved is given back at once, so that nothing is held while it waits.
     * From now on they are asked one after the other. Of two batches that want the same, the one that is ahead in the first
     * log is ahead in all: they cannot keep each other from getting all of it.
     */
    private void giveBack(long number, BatchState batch) {
        Patience patience = batch.patience;
        if (patience == null) throw new IllegalStateException("batch %d cannot wait".formatted(number));
        Part lacking = batch.lacksRoom();
        for (Part part : batch.parts) if (part.answered && !part.lacksRoom) tellEnd(number, part.log, false);
        unique.release(number);
        batch.askAgain();
        if (patience.oneByOne && lacking != null) {
            stand(number, batch, patience, lacking.log);
        } else {
            patience.oneByOne = true;
            askNext(number, batch);
        }
    }

    private void stand(long number, BatchState batch, Patience patience, PartitionId log) {
        leaveLine(number, patience, log);
        patience.line = log;
        patience.standing = true;
        setUntil(number, batch, patience.end);
    }

    /** It was asked to come, and stands elsewhere now. */
    private void leaveLine(long number, Patience patience, @Nullable PartitionId unless) {
        if (patience.line != null && !patience.line.equals(unless)) tellEnd(number, patience.line, false);
        patience.line = null;
    }

    private void askNext(long number, BatchState batch) {
        Part next = batch.next();
        if (next == null) throw new IllegalStateException("batch %d has asked everybody".formatted(number));
        setUntil(number, batch, out.now().plus(PREPARED_WITHIN));
        if (unique.claimsAgain(number)) return;
        // Whoever has made room, or answered, is not who asks.
        out.setBy(patient.by(number));
        ask(number, batch, next, split(patient.command(number), number));
    }

    private Map<PartitionId, Prepare> split(Patient command, long number) {
        return command instanceof HoldRoom room
                ? split(room, number)
                : split(membersOf((EnqueueBatch) command), number);
    }

    private void setUntil(long number, BatchState batch, Instant until) {
        timers.cancel(Timer.batch(batch.until, Long.toString(number)));
        batch.until = until;
        save(number, batch);
    }

    /** There is room in the log in whose line it stands: everybody is asked again, from the first. */
    private void hasRoom(HasRoom message) {
        long number = message.batch();
        byte[] stored = entities.get(Keys.batch(number));
        if (stored == null) {
            tellEnd(number, message.participant(), decisions.isStored(number));
            return;
        }
        BatchState batch = BatchState.read(stored);
        Patience patience = batch.patience;
        // Otherwise it has left that line, and the log will hear of it.
        if (patience == null || !patience.standing || !message.participant().equals(patience.line)) return;
        patience.standing = false;
        askNext(number, batch);
    }

    /** Its time is up: whoever has no room now rejects it. */
    private void askForTheLastTime(long number, BatchState batch, Patience patience) {
        leaveLine(number, patience, null);
        patience.standing = false;
        askNext(number, batch);
    }

    private void withdraw(Withdraw command) {
        String requester = command.requester();
        if (command.correlations().isEmpty()) patient.of(requester).forEach(this::withdraw);
        for (long correlation : command.correlations()) {
            Long number = patient.find(requester, correlation);
            if (number != null) withdraw(number);
        }
    }

    /** Nobody waits for it any more, and nobody is answered. */
    private void withdraw(long number) {
        byte[] stored = entities.get(Keys.batch(number));
        if (stored == null) return;
        if (unique.isDecided(number)) return;
        drop(number);
        unique.end(number, false);
    }

    /** Whoever has reserved something for it is told that it is not stored. */
    void drop(long number) {
        byte[] stored = entities.get(Keys.batch(number));
        if (stored == null) return;
        BatchState batch = BatchState.read(stored);
        forget(number, batch);
        for (Part part : batch.parts) tellEnd(number, part.log, false);
    }

    private void tellEnd(long number, PartitionId log, boolean stored) {
        out.tell(log, "batch:" + number, new Settle(number, out.log(), stored));
    }

    // ---- a batch that all have prepared, or one has rejected

    /** Everybody has prepared: from now on its sender has time to say what becomes of it. */
    private void hold(long number, BatchState batch) {
        ReplyTo sender = batch.replyTo;
        if (sender != null) {
            JsonOut lines = new JsonOut(1024)
                    .beginObject()
                    .field("part", number)
                    .endObject()
                    .newLine();
            for (byte[] tail : unique.tails(number, batch.tails()))
                lines.raw(tail).newLine();
            out.replyTo(sender, new Reply.Done(lines.toBytes()));
        }
        timers.cancel(Timer.batch(batch.until, Long.toString(number)));
        patient.forget(number);
        batch.beHeld(out.now().plus(PREPARED_WITHIN));
        save(number, batch);
    }

    private void endHold(EndHold end) {
        Map<Long, BatchState> parts = new TreeMap<>();
        for (long number : end.parts()) {
            byte[] stored = entities.get(Keys.batch(number));
            BatchState batch = stored == null ? null : BatchState.read(stored);
            if (batch != null && batch.isHeld()) parts.put(number, batch);
        }
        boolean store =
                end.store() && !parts.isEmpty() && parts.size() == end.parts().size();
        if (end.store() && !store)
            out.reject(Rejection.of(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "The batch was not stored: it did not come to an end within %s of its first part. Try again."
                            .formatted(PREPARED_WITHIN)));
        if (parts.isEmpty()) {
            if (!end.store()) out.reply(nothing());
            return;
        }
        parts.forEach((number, batch) -> decide(number, batch, store));
        String numbers = parts.keySet().stream().map(String::valueOf).collect(joining(","));
        boolean answered = end.store() && !store;
        work.begin(store ? STORE : DROP, numbers, answered ? null : out.replyTo());
        out.setReplyTo(null);
    }

    /** Other logs do their share at once; what is here follows in slices. */
    private void decide(long number, BatchState batch, boolean store) {
        forget(number, batch);
        if (store) decisions.stored(number);
        for (Part part : batch.parts) if (!part.log.equals(out.log())) tellEnd(number, part.log, store);
        unique.end(number, store);
    }

    private byte @Nullable [] endNext(Work.Piece piece, boolean store) {
        String[] numbers = piece.subject().split(",", -1);
        int at = piece.cursor().length == 0 ? 0 : new BinaryIn(piece.cursor()).integer();
        reservations.settle(new Settle(Long.parseLong(numbers[at]), out.log(), store));
        if (at + 1 < numbers.length) return new BinaryOut().number(at + 1).toBytes();
        out.reply(nothing());
        return null;
    }

    private static JsonOut nothing() {
        return new JsonOut().beginObject().endObject();
    }

    private void forget(long number, BatchState batch) {
        entities.delete(Keys.batch(number));
        patient.forget(number);
        timers.cancel(Timer.batch(batch.until, Long.toString(number)));
    }

    private void settle(long number, BatchState batch) {
        forget(number, batch);
        // mutant: batch-refused
        boolean commit = batch.rejection == null;
        if (commit) decisions.stored(number);
        for (Part part : batch.parts) tellEnd(number, part.log, commit);
        if (batch.replyTo != null) out.replyTo(batch.replyTo, outcome(number, batch));
        else if (batch.rejection != null && !batch.isHeld()) out.reject(batch.rejection);
        unique.end(number, commit);
    }

    /** A batch of unique jobs, whose keys are claimed. */
    void coordinate(List<Member> members, long number, Command command) {
        if (command instanceof HoldBatch part) holdMembers(part, members, number);
        else coordinate(members, split(members, number), number, (EnqueueBatch) command, false);
    }

    List<Member> membersOf(Command command) {
        try {
            return switch (command) {
                case EnqueueBatch batch -> read(batch.jobs(), batch.madeIds(), 0);
                case HoldBatch part -> read(part.jobs(), part.madeIds(), part.first());
                default -> throw new IllegalStateException("%s is no batch".formatted(command));
            };
        } catch (UnreadableJob unreadable) {
            throw new IllegalStateException("a batch that could be read before", unreadable);
        }
    }

    boolean has(long number) {
        return entities.get(Keys.batch(number)) != null;
    }

    private BatchState find(long number) {
        byte[] stored = entities.get(Keys.batch(number));
        if (stored == null) throw new IllegalStateException("batch %d is not there".formatted(number));
        return BatchState.read(stored);
    }

    /** Its keys are claimed again: whoever has to prepare it is next. */
    void askNext(long number) {
        askNext(number, find(number));
    }

    void settle(long number) {
        settle(number, find(number));
    }

    /** A key of it cannot be had. */
    void reject(long number, Rejection why) {
        BatchState batch = find(number);
        batch.rejection = why;
        if (batch.patience != null) leaveLine(number, batch.patience, null);
        settle(number, batch);
    }

    private Reply outcome(long number, BatchState batch) {
        if (batch.rejection != null) return new Reply.Rejected(batch.rejection.shortened());
        JsonOut tails = new JsonOut(1024);
        for (byte[] tail : unique.tails(number, batch.tails())) tails.raw(tail).newLine();
        return new Reply.Done(tails.toBytes());
    }

    /** A participant has heard nothing for long: it is told again, unless the batch is still under way. */
    private void unsettled(Unsettled message) {
        if (entities.get(Keys.batch(message.batch())) != null || unique.has(message.batch())) return;
        tellEnd(message.batch(), message.participant(), decisions.isStored(message.batch()));
    }

    // ---- participants

    private void prepare(Prepare message) {
        reservations.prepare(message);
    }

    private void settle(Settle message) {
        reservations.settle(message);
        keys.settle(message);
    }
}
