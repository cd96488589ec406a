package io.floodgate.processor.batch;

import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.store.BatchKeys;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.Claim;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Replaced;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.Message.Turn;
import io.floodgate.topics.command.Message.Unsettled;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.UnreadableJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The jobs and ids that this partition has reserved for batches, its own and those that others coordinate. */
final class Reservations {
    /** A coordinator has given up by then, or has settled. */
    static final Duration FIRST_QUESTION = Duration.ofMinutes(2);

    private static final Duration RAREST_QUESTION = Duration.ofHours(1);

    private final KeyValues entities;
    private final Routing routing;
    private final QueueRules queues;
    private final Directory directory;
    private final Timers timers;
    private final Undo undo;
    private final Effects out;

    /** Number of reservations. It is mostly zero: then a settlement of keys alone need not look for one. */
    private int count;

    Reservations(QueueRules queues, Directory directory, PartitionContext context) {
        this.entities = context.entities();
        this.routing = context.routing();
        this.queues = queues;
        this.directory = directory;
        this.timers = context.timers();
        this.undo = context.undo();
        this.out = context.out();
    }

    void load() {
        Map<String, Reserved> all = all();
        count = all.size();
        all.forEach((name, reserved) -> timers.set(Timer.batch(reserved.askAt(), name)));
    }

    private void count(int by) {
        count += by;
        undo.by(() -> count -= by);
    }

    /**
     * Returns all reservations by the names of their timers: the coordinating partition, and its number for the batch.
     */
    private Map<String, Reserved> all() {
        Map<String, Reserved> all = new TreeMap<>();
        byte[] prefix = BatchKeys.allReserved();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            all.put(BatchKeys.coordinatorIn(key) + "#" + Keys.numberAtEnd(key), Reserved.STORED.read(value));
            return true;
        });
        return all;
    }

    private static String name(PartitionId coordinator, long batch) {
        return coordinator + "#" + batch;
    }

    private static PartitionId coordinator(String name) {
        return PartitionId.parse(name.substring(0, name.lastIndexOf('#')));
    }

    private static long batch(String name) {
        return Long.parseLong(name.substring(name.lastIndexOf('#') + 1));
    }

    private void save(String name, Reserved reserved) {
        entities.put(BatchKeys.reserved(coordinator(name), batch(name)), Reserved.STORED.write(reserved));
        timers.set(Timer.batch(reserved.askAt(), name));
    }

    void prepare(Prepare message) {
        List<BatchMember> members =
                message.jobs().stream().map(Reservations::readOwn).toList();
        Rejection taken = rejectTaken(message, members);
        if (taken != null) {
            answer(message, List.of(), taken);
            return;
        }
        // Only a batch that is settled in this step releases its capacity now: any other might need it again before
        // that.
        boolean isAlone = message.coordinator().equals(out.log()) && message.turn() == null;
        for (Replaced replaced : message.replaced()) queues.holders().makeWay(replaced.job(), isAlone);
        Bounds.Room room = findRoom(message, members);
        if (!room.isThere())
            message.replaced().forEach(replaced -> queues.holders().goOn(replaced.job()));
        if (room.rejection() != null) {
            answer(message, List.of(), room.rejection());
            return;
        }
        if (queues.bounds().park(room, message)) return;
        if (!room.isThere()) {
            tellCoordinator(message, new Prepared(message.batch(), out.log(), List.of(), null, room.place()));
            return;
        }
        String name = name(message.coordinator(), message.batch());
        List<JobId> claimed = new ArrayList<>();
        for (Claim claim : message.claims()) {
            if (routing.ofQueue(claim.queue()).equals(out.log())) continue; // the job itself will have its id
            directory.claim(claim.job(), claim.queue(), name);
            claimed.add(claim.job());
        }
        List<byte[]> tails = new ArrayList<>();
        List<Reserved.ReservedJob> reserved = new ArrayList<>();
        for (BatchMember member : members) {
            long rank = queues.reserved().reserve(member.envelope(), member.id(), isRegistered(member));
            tails.add(queues.reserved().tail(member.id()));
            reserved.add(new Reserved.ReservedJob(member.id(), rank));
        }
        List<Reserved.ReservedJob> victims = room.victims().stream()
                .map(victim -> new Reserved.ReservedJob(victim.id(), victim.rank()))
                .toList();
        // The fill levels of the queues follow the tails.
        tails.addAll(queues.bounds().loads(queuesOf(message, members), room.victims()));
        long bytes = tails.stream().mapToLong(tail -> tail.length + 1L).sum();
        if (bytes > Batches.PART_BYTES) {
            end(new Reserved(reserved, claimed, out.now(), 0, victims, message.replaced()), name, false);
            answer(message, List.of(), tooLarge("The answer", bytes, Batches.PART_BYTES));
            return;
        }
        // mutant: reservation-asks
        Instant askAt = out.now().plus(FIRST_QUESTION);
        save(name, new Reserved(reserved, claimed, askAt, 0, victims, message.replaced()));
        count(1);
        answer(message, tails, null);
    }

    private static Set<String> queuesOf(Prepare message, List<BatchMember> members) {
        Set<String> names = BatchMember.queuesOf(members);
        message.demands().forEach(demand -> names.add(demand.queue()));
        return names;
    }

    private @Nullable Rejection rejectTaken(Prepare message, List<BatchMember> members) {
        for (Claim claim : message.claims()) {
            Rejection taken = directory.rejectTaken(claim.job());
            if (taken != null) return taken;
        }
        for (BatchMember member : members) {
            // Another log decides about the claim, but what is here must not be overwritten meanwhile.
            // mutant: reserved-id-taken
            Rejection taken =
                    isRegistered(member) ? directory.rejectTaken(member.id()) : directory.rejectSentTwice(member.id());
            if (taken != null) return taken;
        }
        return null;
    }

    private Bounds.Room findRoom(Prepare message, List<BatchMember> members) {
        Turn turn = message.turn();
        if (!message.demands().isEmpty()) return queues.bounds().keepRoom(message.on(turn));
        if (members.isEmpty()) return Bounds.Room.THERE;
        List<Envelope> jobs = BatchMember.envelopesOf(members);
        Long kept = message.room();
        return kept == null
                ? queues.bounds().promiseRoom(jobs, message.on(turn))
                : queues.bounds().takeRoom(jobs, message.on(turn), kept);
    }

    private boolean isRegistered(BatchMember member) {
        return !routing.ofJob(member.id()).equals(out.log());
    }

    private static BatchMember readOwn(byte[] job) {
        try {
            BatchMember member = BatchMember.read(job, false);
            if (member == null) throw new IllegalStateException("a job of a batch without an id");
            return member;
        } catch (UnreadableJob unreadable) {
            throw new IllegalStateException("a job of a batch that its coordinator could read", unreadable);
        }
    }

    private void answer(Prepare message, List<byte[]> tails, @Nullable Rejection rejection) {
        tellCoordinator(message, new Prepared(message.batch(), out.log(), tails, rejection));
    }

    private void tellCoordinator(Prepare message, Prepared prepared) {
        out.tell(message.coordinator(), "batch:" + message.batch(), prepared);
    }

    void settle(Settle message) {
        String name = name(message.coordinator(), message.batch());
        queues.bounds().leaveLine(message.coordinator(), message.batch());
        if (count == 0) return;
        byte[] key = BatchKeys.reserved(message.coordinator(), message.batch());
        byte[] stored = entities.get(key);
        if (stored == null) return; // rejected here, so nothing is reserved
        entities.delete(key);
        count(-1);
        Reserved reserved = Reserved.STORED.read(stored);
        timers.cancel(Timer.batch(reserved.askAt(), name));
        end(reserved, name, message.commit());
    }

    private void end(Reserved reserved, String name, boolean commit) {
        // Victims come first: their capacity has to be free before the events of stored jobs.
        for (Reserved.ReservedJob victim : reserved.victims())
            queues.bounds().settle(victim.id(), victim.rank(), commit);
        for (Replaced replaced : reserved.replaced()) {
            if (commit) queues.holders().supersede(replaced.job(), replaced.by(), replaced.states());
            else queues.holders().goOn(replaced.job());
        }
        // mutant: settled-jobs
        for (Reserved.ReservedJob job : reserved.jobs()) {
            if (commit) queues.reserved().admit(job.id(), job.rank());
            else queues.reserved().drop(job.id(), job.rank());
        }
        // mutant: claims-settled
        reserved.claims().forEach(id -> directory.settle(id, name, commit));
        // mutant: kept-room-freed
        if (reserved.jobs().isEmpty()) queues.bounds().freeRoom(coordinator(name), batch(name));
    }

    /** Asks the coordinator, since no message has come for long: the settlement may be lost. */
    void ask(String name) {
        out.about(Quarantine.BATCH, name);
        byte[] stored = entities.get(BatchKeys.reserved(coordinator(name), batch(name)));
        if (stored == null) return;
        Reserved reserved = Reserved.STORED.read(stored);
        int asked = reserved.asked() + 1;
        Duration pause = FIRST_QUESTION.multipliedBy(1L << Math.min(asked, 5));
        if (pause.compareTo(RAREST_QUESTION) > 0) pause = RAREST_QUESTION;
        save(name, reserved.askingAt(out.now().plus(pause), asked));
        out.tell(coordinator(name), "batch:" + batch(name), new Unsettled(batch(name), out.log()));
    }

    boolean clear(int most) {
        List<String> some = all().keySet().stream().limit(most).toList();
        for (String name : some) {
            entities.delete(BatchKeys.reserved(coordinator(name), batch(name)));
            timers.cancelAll(Timers.Kind.BATCH, name);
        }
        count(-some.size());
        return some.size() < most;
    }

    /** Returns the rejection of a batch that would not fit into a record. */
    static Rejection tooLarge(String what, long bytes, long most) {
        return Rejection.of(
                ErrorCode.BATCH_SIZE_EXCEEDED,
                "%s of the batch would have %d bytes; at most %d fit. Split the batch.".formatted(what, bytes, most));
    }
}
