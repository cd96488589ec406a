package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.Counts;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.PressureLevels;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.ReadyOrder;
import io.floodgate.processor.queue.state.TenantJobs;
import io.floodgate.processor.queue.state.Throughput.Drain;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Turn;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of queues and of tenants in them (OJS backpressure §5, §6 and §9.2). What comes in together is decided about
 * together: there is room for all of it, or is made by dropping what the strategy allows, or nothing is taken and nothing
 * dropped.
 */
public final class Bounds implements Entity {
    /** So many jobs make room in one step at most. */
    static final int MOST_DROPPED = 1_000;

    /** When nobody knows how fast the queue drains. */
    private static final long RETRY_AFTER_S = 5;

    private static final long LONGEST_RETRY_AFTER_S = 30;

    /** For those who cannot wait for room, but for others to be dropped, a slice with each tick. */
    private static final Duration A_MOMENT = Duration.ofSeconds(5);

    private static final ErrorReport OVERFLOW =
            new ErrorReport("overflow", "overflow", "The job made room for a newer one.", false, new byte[] {'{', '}'});

    /** Who waits at a queue that is being deleted is let in, to be rejected; but not before that is certain. */
    private final Producers.Room space = new Producers.Room() {
        @Override
        public boolean isFor(Queue queue, long jobs, long bytes) {
            if (queue.ending() != null) return !queue.ending().isAsking();
            return (makesRoom(queue) && dropped < MOST_DROPPED)
                    || new Demand(queue, jobs, bytes, "", TenantDemand.nothing(queue)).fits();
        }

        @Override
        public boolean isForTenants(Queue queue, Map<String, Long> jobs) {
            if (queue.ending() != null) return !queue.ending().isAsking();
            return makesRoom(queue) || new TenantDemand(queue, jobs).fits();
        }
    };

    private final Queues queues;
    private final Jobs jobs;
    private final AdmissionChecks gates;
    private final Pressure pressure;
    private final Producers producers;
    private final TenantCounting tenants;
    private final CapacityReservations kept;
    private final Effects out;
    private final ProducerAcl entry = new ProducerAcl();
    /** By this step. */
    private int dropped;

    public Bounds(
            Queues queues,
            Jobs jobs,
            AdmissionChecks gates,
            Pressure pressure,
            Producers producers,
            TenantCounting tenants,
            CapacityReservations kept,
            Effects out) {
        this.queues = queues;
        this.jobs = jobs;
        this.gates = gates;
        this.pressure = pressure;
        this.producers = producers;
        this.tenants = tenants;
        this.kept = kept;
        this.out = out;
    }

    /** What is to come into one queue. */
    private record Demand(Queue queue, long jobs, long bytes, String type, TenantDemand tenants) {
        Demand and(Demand more) {
            // mutant: demand-sum
            return new Demand(queue, jobs + more.jobs, bytes + more.bytes, type, tenants);
        }

        Demand of(List<Envelope> batch) {
            return new Demand(queue, jobs, bytes, type, TenantDemand.of(queue, batch));
        }

        long overDepth() {
            long bound = queue.config().depthBound();
            // mutant: depth-bound
            return bound == 0 ? 0 : Math.max(0, queue.counts.depth() + jobs - bound);
        }

        long overSize() {
            long bound = queue.config().sizeBound();
            // mutant: size-bound
            return bound == 0 ? 0 : Math.max(0, queue.counts.bytes() + bytes - bound);
        }

        boolean fits() {
            return overDepth() == 0 && overSize() == 0 && tenants.fits();
        }

        /**
         * What counts on of a job that makes room for this, until it has come.
         *
         * @param taken the job and those chosen before it
         * @param countsForTenant whether its tenant has had others chosen for each of its own jobs that are to come
         */
        JobRecord.Promise promise(long taken, long takenBytes, long size, boolean countsForTenant) {
            return new JobRecord.Promise(taken > jobs, Math.clamp(takenBytes - bytes, 0, size), countsForTenant);
        }

        /** Not into an empty queue, either. */
        boolean canNeverFit() {
            QueueConfig config = queue.config();
            return (config.depthBound() > 0 && jobs > config.depthBound())
                    || (config.sizeBound() > 0 && bytes > config.sizeBound())
                    || tenants.neverFitting() != null;
        }
    }

    /**
     * Whether there is room for something: it may come in, it waits, or it cannot, for a reason.
     *
     * @param place of who waits in the line, 0 if not in line
     * @param victims who make room
     */
    public record Room(boolean isThere, @Nullable Rejection rejection, long place, List<Victim> victims) {
        public static final Room THERE = new Room(true, null, 0, List.of());

        private static Room unless(@Nullable Rejection rejection) {
            return rejection == null ? THERE : new Room(false, rejection, 0, List.of());
        }
    }

    /** A job that makes room, and its rank: by the time that is needed, the id may be another job's. */
    public record Victim(String queue, JobId id, long rank, JobRecord.Promise promise) {}

    /** Whoever can wait for room gets in line with what it has for one queue. */
    private interface InLine {
        /** The place in the line; null if too many are in it already. */
        @Nullable
        Long join(Demand demand);

        /** Whether its jobs count as offered from now on, and not when they come in or are rejected. */
        boolean countsNow();
    }

    /** @param command that brings the job: should it be patient, and the queue block, it is kept until there is room */
    public Room makeRoom(Envelope job, @Nullable Patient command) {
        Rejection spent = reject(List.of(job));
        Queue queue = queues.imagine(job.queue());
        if (spent != null || !isWatched(queue)) return Room.unless(spent);
        return makeRoom(List.of(demand(job, queue).of(List.of(job))), inLine(command), soon(command));
    }

    /**
     * Why the job has to stay where it is, whoever brings it: because nothing can be taken in for the time being, or because
     * there is no room in a queue that blocks; null if it may try to come in.
     *
     * @param waitsHere it is to wait in the line of the queue
     */
    @Nullable
    public Rejection heldBack(Envelope job, boolean waitsHere) {
        Rejection spent = reject(List.of(job));
        if (spent != null) return spent.code().retryable() ? spent : null;
        Queue queue = queues.imagine(job.queue());
        if (waitsHere || !isWatched(queue) || queue.config().overflow() != Overflow.BLOCK) return null;
        Demand demand = demand(job, queue).of(List.of(job));
        // In the line of those who wait for others its time might be up, and it would not be sent again.
        boolean comesIn = demand.fits() && !producers.areBefore(queue, demand.tenants.jobs(), space);
        return comesIn || demand.canNeverFit()
                ? null
                : Rejection.of(ErrorCode.QUEUE_FULL, "Queue '%s' has no room.".formatted(queue.name));
    }

    /** As for one job: there is room for all of them, or nothing has happened. */
    public Room makeRoom(List<Envelope> batch, @Nullable Patient command) {
        Rejection spent = reject(batch);
        return spent == null ? makeRoom(demands(batch), inLine(command), soon(command)) : Room.unless(spent);
    }

    /**
     * As for a batch, but those who are to make room for it stay until it is settled: each of them is out of everybody's
     * reach, and its place is taken.
     */
    public Room promiseRoom(List<Envelope> batch, Prepare asking) {
        Rejection spent = reject(batch);
        return spent == null ? promise(demands(batch), asking) : Room.unless(spent);
    }

    /** The same for jobs that come later, in parts: what is there for them is kept. */
    public Room keepRoom(Prepare asking) {
        Rejection spent =
                gates.reject(asking.demands().stream().map(QueueDemand::queue).toList());
        for (QueueDemand demand : asking.demands())
            if (spent == null) spent = entry.reject(demand.type(), out.by(), queues.imagine(demand.queue()));
        if (spent != null) return Room.unless(spent);
        Room room = promise(asking.demands().stream().map(this::demand).toList(), asking);
        if (room.isThere) kept.keep(asking.coordinator(), asking.batch(), asking.demands());
        return room;
    }

    /** Why there is no room for what is to come: what it would be told itself; null if there is. Nothing is kept. */
    @Nullable
    public Rejection reject(QueueDemand asked) {
        Queue queue = queues.imagine(asked.queue());
        Rejection spent = gates.reject(List.of(asked.queue()));
        if (spent == null) spent = entry.reject(asked.type(), out.by(), queue);
        if (spent != null || !isWatched(queue)) return spent;
        return findRoom(List.of(demand(asked)), null, inLine(demand -> 0L, false))
                .rejection();
    }

    private Demand demand(QueueDemand asked) {
        Queue queue = queues.imagine(asked.queue());
        TenantDemand ofTenants =
                queue.countsTenants() ? new TenantDemand(queue, asked.tenants()) : TenantDemand.nothing(queue);
        return new Demand(queue, asked.jobs(), asked.bytes(), asked.type(), ofTenants);
    }

    private Room promise(Collection<Demand> demands, Prepare asking) {
        producers.comes(asking);
        Room room = findRoom(demands, inLine(asking), null);
        producers.goes();
        room.victims.forEach(victim -> jobs.apply(new JobChange.Promised(victim.promise), find(victim.id)));
        out.aboutNothing();
        return room;
    }

    /** For a part of a batch: it comes in the room that is kept, as far as that covers it; its tenants may have none left. */
    public Room takeRoom(List<Envelope> part, Prepare asking, long room) {
        Rejection spent = reject(part);
        if (spent != null) return Room.unless(spent);
        Map<String, CapacityReservations.Share> left = kept.of(asking.coordinator(), room);
        Map<String, CapacityReservations.Share> taken = sizes(part);
        taken.entrySet()
                .removeIf(queue -> !left.getOrDefault(queue.getKey(), CapacityReservations.Share.NONE)
                        .covers(queue.getValue()));
        List<Demand> beyond = new ArrayList<>();
        for (Demand demand : demands(part)) {
            if (!taken.containsKey(demand.queue.name)) beyond.add(demand);
            else if (!demand.tenants.fits()) return Room.unless(reject(demand));
        }
        Room found = promise(beyond, asking);
        if (found.isThere) kept.take(asking.coordinator(), room, taken);
        return found;
    }

    private static Map<String, CapacityReservations.Share> sizes(List<Envelope> part) {
        Map<String, CapacityReservations.Share> sizes = new TreeMap<>();
        for (Envelope job : part)
            sizes.merge(
                    job.queue(),
                    new CapacityReservations.Share(1, job.storedBytes()),
                    (a, b) -> new CapacityReservations.Share(a.jobs() + b.jobs(), a.bytes() + b.bytes()));
        return sizes;
    }

    /** Nothing more comes into the room that was kept for a batch. */
    public void freeRoom(PartitionId coordinator, long room) {
        kept.free(coordinator, room);
    }

    /** The batch that the job was to make room for is settled. */
    public void settle(JobId victim, long rank, boolean stored) {
        out.about(Quarantine.JOB, victim);
        JobRecord job = jobs.find(victim);
        // It may have ended meanwhile, which has made the room, too.
        if (job != null && job.promise != null && job.rank == rank) {
            if (stored) drop(job);
            else jobs.apply(new JobChange.GraceGranted(), job);
        }
        out.aboutNothing();
    }

    /** A batch that another log decides about does not wait here any more. */
    public void leaveLine(PartitionId coordinator, long batch) {
        producers.leave(coordinator, batch);
    }

    private @Nullable InLine inLine(@Nullable Patient command) {
        if (command == null || command.maxWait().isZero()) return null;
        boolean isNew = producers.waitingSince() == null;
        return inLine(
                demand -> producers.wait(demand.queue.name, demand.jobs, demand.bytes, demand.tenants.jobs(), command),
                isNew);
    }

    /** It goes on as soon as others had their turn. */
    private @Nullable InLine soon(@Nullable Patient command) {
        if (command == null) return null;
        InLine line = inLine(command.maxWait().isZero() ? command.waiting(A_MOMENT) : command);
        if (line == null) return null;
        return inLine(
                demand -> {
                    Long place = line.join(demand);
                    producers.lookSoon(demand.queue.name);
                    return place;
                },
                line.countsNow());
    }

    private static InLine inLine(Function<Demand, @Nullable Long> joining, boolean countsNow) {
        return new InLine() {
            @Override
            public @Nullable Long join(Demand demand) {
                return joining.apply(demand);
            }

            @Override
            public boolean countsNow() {
                return countsNow;
            }
        };
    }

    private @Nullable InLine inLine(Prepare asking) {
        Turn turn = asking.turn();
        if (turn == null || turn.isLast()) return null;
        if (!turn.joins()) return inLine(demand -> 0L, false);
        return inLine(
                demand -> producers.join(
                        demand.queue.name, demand.jobs, demand.bytes, demand.tenants.jobs(), asking, turn),
                false);
    }

    /** Whether jobs of this type may come into the queue at all: those that are there already, and are sent on. */
    @Nullable
    public Rejection reject(String type, Queue queue) {
        Rejection spent = gates.reject(List.of(queue.name));
        return spent == null ? entry.rejectType(type, queue) : spent;
    }

    private @Nullable Rejection reject(List<Envelope> batch) {
        Rejection spent =
                gates.reject(batch.stream().map(Envelope::queue).distinct().toList());
        for (int i = 0; spent == null && i < batch.size(); i++)
            spent = entry.reject(
                    batch.get(i).type(), out.by(), queues.imagine(batch.get(i).queue()));
        return spent;
    }

    private Collection<Demand> demands(List<Envelope> batch) {
        Map<String, Demand> demands = new LinkedHashMap<>();
        for (Envelope job : batch) {
            Queue queue = queues.imagine(job.queue());
            if (isWatched(queue)) demands.merge(queue.name, demand(job, queue), Demand::and);
        }
        demands.replaceAll((name, demand) -> demand.of(batch));
        return demands.values();
    }

    /** Others may still wait at a queue whose bound was removed. */
    private boolean isWatched(Queue queue) {
        return queue.config().isBounded() || queue.countsTenants() || producers.at(queue.name) > 0;
    }

    /** For a job of the queue that had ended, and is to live again. */
    @Nullable
    public Rejection makeRoomAgain(JobRecord job) {
        Rejection closed = gates.rejectEntry(List.of(job.queue));
        return closed == null ? makeRoomFor(job, queues.use(job.queue)) : closed;
    }

    /** For a job that comes from another queue. */
    @Nullable
    public Rejection makeRoomFor(JobRecord job, Queue queue) {
        if (!isWatched(queue)) return null;
        TenantDemand tenant = TenantDemand.of(queue, job, tenants);
        return makeRoom(List.of(new Demand(queue, 1, job.sizeBytes, job.type, tenant)), null, null)
                .rejection();
    }

    private static Demand demand(Envelope job, Queue queue) {
        QueueConfig config = queue.config();
        // Who gets in line may find another bound there when its turn comes.
        long bytes = config.sizeBound() == 0 && config.overflow() != Overflow.BLOCK ? 0 : job.storedBytes();
        return new Demand(queue, 1, bytes, job.type(), TenantDemand.nothing(queue));
    }

    private Room makeRoom(Collection<Demand> demands, @Nullable InLine line, @Nullable InLine soon) {
        Room room = findRoom(demands, line, soon);
        room.victims.forEach(victim -> drop(find(victim.id)));
        out.aboutNothing();
        return room;
    }

    /**
     * Nothing has happened yet to those who would make room.
     *
     * @param line for who can wait for room
     * @param soon for who cannot, but goes on with the next step if more jobs have to make room than can in one
     */
    private Room findRoom(Collection<Demand> demands, @Nullable InLine line, @Nullable InLine soon) {
        // What can never fit is told so, whatever there is room for meanwhile.
        for (Demand demand : demands) if (demand.canNeverFit()) return Room.unless(reject(demand));
        List<Victim> victims = new ArrayList<>();
        Demand waiting = null;
        Demand dropping = null;
        List<Victim> first = List.of();
        for (Demand demand : demands) {
            // mutant: producers-in-order
            if (demand.fits() && !producers.areBefore(demand.queue, demand.tenants.jobs(), space)) continue;
            Overflow strategy = demand.queue.config().overflow();
            if (strategy == Overflow.DROP_OLDEST) {
                Victims chosen = chooseVictims(demand);
                victims.addAll(chosen.some);
                if (chosen.areEnough) continue;
                if (chosen.areFirst && soon != null) {
                    if (dropping == null) first = chosen.some;
                    if (dropping == null) dropping = demand;
                    continue;
                }
            }
            if (strategy != Overflow.BLOCK || line == null) return Room.unless(reject(demand));
            if (waiting == null) waiting = demand;
        }
        if (waiting != null && line != null) {
            boolean isFirst = producers.at(waiting.queue.name) == 0 && producers.waitingSince() == null;
            Room room = waits(waiting, demands, line, List.of());
            if (isFirst && room.place != 0) pressure.blocked(waiting.queue, rejectedTenant(waiting));
            return room;
        }
        if (dropping != null && soon != null) return waits(dropping, demands, soon, first);
        return new Room(true, null, 0, victims);
    }

    private Room waits(Demand waiting, Collection<Demand> demands, InLine line, List<Victim> victims) {
        Long place = line.join(waiting);
        if (place == null) return Room.unless(reject(waiting, "too_many_waiting"));
        queues.changed(waiting.queue);
        if (line.countsNow())
            for (Demand demand : demands) {
                demand.queue.isOffered(demand.jobs, out.now());
                queues.changed(demand.queue);
            }
        return new Room(false, null, place, victims);
    }

    @Override
    public void save() {
        dropped = 0;
    }

    @Override
    public void rollBack() {
        dropped = 0;
    }

    /** At the end of a step: who waits at one of these queues comes in, one after the other, as far as there is room. */
    public void letIn(Collection<Queue> changed) {
        producers.letIn(changed, space);
    }

    /** Nobody waits for room in such a queue, and those who did when it still blocked do not go on. */
    private static boolean makesRoom(Queue queue) {
        // mutant: drop-oldest
        return queue.config().overflow() == Overflow.DROP_OLDEST;
    }

    /**
     * Those who are to make room.
     *
     * @param areFirst there are more of them than one step can take, so that these do not make enough
     */
    private record Victims(List<Victim> some, boolean areEnough, boolean areFirst) {
        static final Victims TOO_FEW = new Victims(List.of(), false, false);
    }

    /**
     * The least urgent first, of those the oldest, and only available ones. A tenant
     * that has reached its own bound makes room for itself before anybody else has to. Where a bound was lowered, more is
     * there than fits: each job that comes takes one more out than it needs, so that a thousand jobs are not lost at once.
     */
    private Victims chooseVictims(Demand demand) {
        // Some still wait at a queue that has become one of this strategy.
        if (demand.fits()) return new Victims(List.of(), true, false);
        Excess depth = Excess.of(demand.overDepth(), demand.jobs);
        Excess size = Excess.of(demand.overSize(), demand.bytes);
        // Nothing is read for those who are rejected anyway.
        if (demand.queue.ready().size() < depth.needed) return Victims.TOO_FEW;
        Map<JobId, JobRecord> some = new LinkedHashMap<>();
        long[] missing = {depth.wanted, size.wanted};
        boolean areEnough = true;
        for (Map.Entry<String, Long> jobs : demand.tenants.jobs().entrySet()) {
            String tenant = jobs.getKey();
            Excess own = Excess.of(demand.tenants.over(tenant), jobs.getValue());
            if (own.wanted == 0) continue;
            TenantJobs all = demand.queue.tenants;
            int before = some.size();
            if (all != null && all.ready(tenant).size() >= own.needed)
                // mutant: tenant-victims
                choose(all.ready(tenant), some, missing, () -> some.size() < before + own.wanted);
            if (some.size() >= before + own.needed) continue;
            if (some.size() < left()) return Victims.TOO_FEW;
            areEnough = false;
        }
        if (missing[0] > 0 || missing[1] > 0)
            choose(demand.queue.ready(), some, missing, () -> missing[0] > 0 || missing[1] > 0);
        areEnough &= missing[0] <= depth.spare() && missing[1] <= size.spare();
        boolean areFirst = !areEnough && some.size() >= left();
        return areEnough || areFirst
                ? new Victims(victims(demand, some.values()), areEnough, areFirst)
                : Victims.TOO_FEW;
    }

    /**
     * What is to go.
     *
     * @param needed so that there is no more of it than before
     * @param wanted as far as there is so much
     */
    private record Excess(long needed, long wanted) {
        static Excess of(long over, long coming) {
            return new Excess(Math.min(over, coming), Math.min(over, 2 * coming));
        }

        long spare() {
            return wanted - needed;
        }
    }

    /** The number of jobs that may still make room in this step. */
    private int left() {
        return MOST_DROPPED - dropped;
    }

    private List<Victim> victims(Demand demand, Collection<JobRecord> some) {
        List<Victim> chosen = new ArrayList<>();
        Queue queue = demand.queue;
        Map<String, Long> ofTenants = new TreeMap<>();
        long taken = 0;
        long takenBytes = 0;
        for (JobRecord job : some) {
            taken++;
            takenBytes += job.sizeBytes;
            String tenant = queue.countsTenantOf(job.id) ? tenants.tenant(job) : null;
            boolean countsForTenant = tenant != null
                    && ofTenants.merge(tenant, 1L, Long::sum)
                            > demand.tenants.jobs().getOrDefault(tenant, 0L);
            JobRecord.Promise promise = demand.promise(taken, takenBytes, job.sizeBytes, countsForTenant);
            chosen.add(new Victim(queue.name, job.id, job.rank, promise));
        }
        return chosen;
    }

    private void choose(ReadyOrder order, Map<JobId, JobRecord> chosen, long[] missing, BooleanSupplier more) {
        order.visitLeastUrgent(id -> {
            if (chosen.size() >= left()) return false;
            if (!chosen.containsKey(id)) {
                JobRecord job = find(id);
                chosen.put(id, job);
                missing[0]--;
                // mutant: bytes-of-victims
                if (missing[1] > 0) missing[1] -= job.sizeBytes;
            }
            return more.getAsBoolean();
        });
    }

    private JobRecord find(JobId id) {
        out.about(Quarantine.JOB, id);
        JobRecord job = jobs.find(id);
        if (job == null) throw new IllegalStateException("ready job %s is not stored".formatted(id));
        return job;
    }

    private void drop(JobRecord job) {
        Queue queue = queues.of(job);
        dropped++;
        jobs.apply(new JobChange.Dismissed(OVERFLOW), job);
        pressure.dropped(queue, job);
    }

    private Rejection reject(Demand demand) {
        return reject(demand, null);
    }

    /** @param why it cannot even wait; null if there is nothing more to say */
    private Rejection reject(Demand demand, @Nullable String why) {
        Queue queue = demand.queue;
        QueueConfig config = queue.config();
        String tenant = rejectedTenant(demand);
        // There is room, and others have been waiting for more than that.
        boolean isBehind = demand.fits();
        String reason = why == null && isBehind ? "others_wait" : why;
        if (tenant != null) return reject(demand, tenant, reason);
        pressure.rejected(queue, demand.jobs, demand.type, null, !producers.hasBeenOffered());
        boolean ofDepth = demand.overDepth() > 0 || config.sizeBound() == 0;
        long bound = ofDepth ? config.depthBound() : config.sizeBound();
        String kind = ofDepth ? "depth bound (%d)" : "size bound (%d bytes)";
        Rejection rejection;
        if (demand.canNeverFit())
            rejection = Rejection.of(
                            ErrorCode.BATCH_EXCEEDS_BOUND,
                            "%s can never fit into queue '%s', which has a %s."
                                    .formatted(
                                            demand.jobs == 1 ? "The job" : "%d jobs".formatted(demand.jobs),
                                            queue.name,
                                            kind.formatted(bound)))
                    .with("reason", "batch_exceeds_bound");
        else
            rejection = Rejection.of(
                            ErrorCode.QUEUE_FULL,
                            isBehind
                                    ? behind(queue)
                                    : "Queue '%s' has reached its %s".formatted(queue.name, kind.formatted(bound)))
                    .with("retry_after_seconds", retryAfter(demand));
        Rejection described = withWait(withReason(rejection, reason))
                .with("queue", queue.name)
                .with("depth", queue.counts.depth())
                .with("bound", config.bound())
                .with("strategy", config.overflow().wire())
                .with("dimension", ofDepth ? "depth" : "size")
                .with("pressure", PressureLevels.of(queue))
                .with("size_bytes", queue.counts.bytes())
                .with("version", queue.version);
        if (config.depthBound() > 0) described = described.with("max_depth", config.depthBound());
        return config.sizeBound() > 0 ? described.with("max_size_bytes", config.sizeBound()) : described;
    }

    private String behind(Queue queue) {
        Producers.Waiting first = producers.first(queue.name);
        return first == null
                ? "Queue '%s' has no room".formatted(queue.name)
                : "Queue '%s' has no room for a newcomer: producers wait in it (%d), the first of them for room for %d jobs (%d bytes)"
                        .formatted(queue.name, producers.at(queue.name), first.jobs(), first.bytes());
    }

    private static Rejection withReason(Rejection rejection, @Nullable String reason) {
        return reason == null ? rejection : rejection.with("reason", reason);
    }

    private Rejection withWait(Rejection rejection) {
        Instant since = producers.waitingSince();
        return since == null
                ? rejection
                : rejection.with("waited_ms", Duration.between(since, out.now()).toMillis());
    }

    /** The tenant whose bound is the reason; null if the queue as a whole is. */
    private static @Nullable String rejectedTenant(Demand demand) {
        String tenant = demand.tenants.neverFitting();
        if (tenant == null) tenant = demand.tenants.full();
        boolean nothingElse = tenant == null && !demand.queue.config().isBounded();
        // Others of the same tenants wait for the room that there is.
        return nothingElse ? demand.tenants.jobs().keySet().stream().findFirst().orElse(null) : tenant;
    }

    private Rejection reject(Demand demand, String tenant, @Nullable String reason) {
        Queue queue = demand.queue;
        long bound = demand.tenants.bound(tenant);
        pressure.rejected(queue, demand.jobs, demand.type, tenant, !producers.hasBeenOffered());
        Rejection rejection = tenant.equals(demand.tenants.neverFitting())
                ? Rejection.of(
                                ErrorCode.BATCH_EXCEEDS_BOUND,
                                "%d jobs of tenant '%s' can never fit into queue '%s', where its %s is %d."
                                        .formatted(
                                                demand.tenants.jobs().get(tenant),
                                                tenant,
                                                queue.name,
                                                TenantJobs.LIMIT,
                                                bound))
                        .with("reason", "batch_exceeds_bound")
                : Rejection.of(
                                ErrorCode.TENANT_LIMIT_EXCEEDED,
                                demand.fits()
                                        ? behind(queue)
                                        : "Tenant '%s' has reached its %s (%d) in queue '%s'"
                                                .formatted(tenant, TenantJobs.LIMIT, bound, queue.name))
                        .with("retry_after_seconds", retryAfter(demand, tenant));
        return demand.tenants.describe(withWait(withReason(rejection, reason)), tenant);
    }

    // ---- when there is room

    /**
     * How long a queue that is full takes until it has room for one of its jobs, as a producer would be told; null if nothing
     * leaves it.
     */
    public static @Nullable Long roomIn(Queue queue, Instant now) {
        Drain drain = queue.drain(now);
        if (drain.jobs() <= 0) return null;
        Counts counts = queue.counts;
        Demand one = new Demand(
                queue, 1, Math.ceilDiv(counts.bytes(), Math.max(1, counts.depth())), "", TenantDemand.nothing(queue));
        return retryAfter(one.overDepth(), one.overSize(), drain);
    }

    /** At the rate at which the queue drains, and behind those who wait already. */
    private long retryAfter(Demand demand) {
        Queue queue = demand.queue;
        Producers.Waiting first = producers.first(queue.name);
        Demand all = first == null
                ? demand
                : new Demand(
                        queue, demand.jobs + first.jobs(), demand.bytes + first.bytes(), demand.type, demand.tenants);
        return retryAfter(all.overDepth(), all.overSize(), queue.drain(out.now()));
    }

    /** The same, as far as it drains this tenant's jobs: by their part of all. */
    private long retryAfter(Demand demand, String tenant) {
        Queue queue = demand.queue;
        Drain drain = queue.drain(out.now());
        double part = (double) queue.depthOf(tenant) / Math.max(1, queue.counts.depth());
        Drain own = new Drain(part * drain.jobs(), part * drain.bytes(), drain.isBusy());
        return retryAfter(demand.tenants.over(tenant), 0, own);
    }

    private static long retryAfter(long missingJobs, long missingBytes, Drain drain) {
        // All of its runs fail, and none is the last one: when that ends is not known.
        if (drain.jobs() <= 0) return drain.isBusy() ? LONGEST_RETRY_AFTER_S : RETRY_AFTER_S;
        double seconds = Math.max(1, missingJobs) / drain.jobs();
        if (missingBytes > 0) seconds = Math.max(seconds, missingBytes / Math.max(1, drain.bytes()));
        return Math.clamp((long) Math.ceil(seconds), 1, LONGEST_RETRY_AFTER_S);
    }

    /** How full those of the queues are that have bounds, a line for each: for whoever has changed something in them. */
    public List<byte[]> loads(Collection<String> names) {
        return loads(names, List.of());
    }

    /** The same, as if these had made room already. */
    public List<byte[]> loads(Collection<String> names, List<Victim> victims) {
        List<byte[]> lines = new ArrayList<>();
        for (String name : names) {
            Queue queue = queues.find(name);
            if (queue == null || !(queue.config().isBounded() || queue.countsTenants())) continue;
            long depth = queue.counts.depth();
            long bytes = queue.counts.bytes();
            for (Victim victim : victims) {
                if (!victim.queue.equals(name)) continue;
                if (victim.promise.counts()) depth--;
                bytes -= victim.promise.bytes();
            }
            lines.add(load(queue, depth, bytes));
        }
        return lines;
    }

    private static byte[] load(Queue queue, long depth, long bytes) {
        QueueConfig config = queue.config();
        double pressure = PressureLevels.of(config, depth, bytes);
        JsonOut line = new JsonOut(256)
                .beginObject()
                .name("load")
                .beginObject()
                .field("queue", queue.name)
                .field("depth", depth);
        if (config.depthBound() > 0) line.field("max_depth", config.depthBound());
        line.field("size_bytes", bytes);
        if (config.sizeBound() > 0) line.field("max_size_bytes", config.sizeBound());
        return line.field("strategy", config.overflow().wire())
                .field("pressure", pressure)
                .field("warning", PressureLevels.isWarning(config, depth, bytes))
                .field("version", queue.version)
                .endObject()
                .endObject()
                .toBytes();
    }
}
