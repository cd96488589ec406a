package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.tenant.GrantDemand;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of queues and of tenants in them (OJS backpressure §5, §6 and §9.2). Jobs that come in together are
 * decided about together: there is capacity for all of them, or it is made by dropping jobs if the strategy allows it,
 * or nothing is taken and nothing dropped.
 */
public final class Bounds implements Entity {
    /** Most jobs that are dropped in one step. */
    static final int MOST_DROPPED = 1_000;

    private final Queues queues;
    private final Jobs jobs;
    private final AdmissionChecks gates;
    private final Pressure pressure;
    private final Producers producers;
    private final TenantCounting tenants;
    private final TenantAccounts accounts;
    private final GrantChecks grants;
    private final DemandReader demands;
    private final CapacityReservations kept;
    private final Effects out;
    private final ProducerAcl entry = new ProducerAcl();
    private final DroppedJobs dropped;
    private final CapacityRejections rejections;
    private final CapacityReport report;
    private final ProducerWaits waits;
    private final RoomForProducers space;

    public Bounds(
            Queues queues,
            Jobs jobs,
            AdmissionChecks gates,
            Pressure pressure,
            Producers producers,
            GrantChecks grants,
            CapacityReservations kept,
            Effects out) {
        this.queues = queues;
        this.jobs = jobs;
        this.gates = gates;
        this.pressure = pressure;
        this.producers = producers;
        tenants = grants.tenants();
        accounts = grants.accounts();
        this.grants = grants;
        this.kept = kept;
        this.out = out;
        demands = new DemandReader(queues, producers, grants);
        dropped = new DroppedJobs(queues, jobs, tenants, accounts, pressure, out);
        rejections = new CapacityRejections(pressure, producers, grants, out);
        report = new CapacityReport(queues);
        waits = new ProducerWaits(producers);
        space = new ProducerSpace(dropped, grants);
    }

    /**
     * The decision about new jobs: they may come in, they wait, or they are rejected.
     *
     * @param place the ticket of the waiting producer; 0 if it does not wait
     * @param victims the jobs that are dropped
     * @param unknown whether there is room is not known yet: the command is to be parked
     */
    public record Room(
            boolean isThere,
            @Nullable Rejection rejection,
            long place,
            List<Victim> victims,
            GrantChecks.@Nullable Unknown unknown) {
        public static final Room THERE = new Room(true, null, 0, List.of(), null);

        public static Room unless(@Nullable Rejection rejection) {
            return rejection == null ? THERE : new Room(false, rejection, 0, List.of(), null);
        }
    }

    /** Parks the command at hand if it is not known yet whether there is room. Returns false if it is. */
    public boolean park(Room room, Command command) {
        return grants.park(room.unknown, command);
    }

    /** The same for a job that ended, and is to live again. Without a command, only its grant is asked for. */
    public boolean parkToRunAgain(JobRecord job, @Nullable Command command) {
        return grants.park(job.isLive() ? null : grants.unknown(job), command);
    }

    /** A job that is to be dropped, and its rank: by the time that it is needed, another job may have the id. */
    public record Victim(String queue, JobId id, long rank, JobRecord.Promise promise) {}

    /** Makes capacity for a job. A patient command waits for it, unless it is first. */
    public Room makeRoom(Envelope job, @Nullable Patient command, boolean isFirst) {
        Rejection spent = reject(List.of(job));
        Queue queue = queues.imagine(job.queue());
        if (spent != null || !demands.isWatched(queue)) return Room.unless(spent);
        RequiredCapacity demand = demands.of(job, queue);
        if (isFirst && demand.fits()) return Room.THERE;
        return makeRoom(List.of(demand), waits.of(command), waits.soon(command));
    }

    /**
     * Returns why the job has to stay in its topic, for any producer: nothing can be taken in now, or a queue that holds
     * it back is full. Returns null if it may try to come in.
     *
     * @param waitsHere it is to wait in the wait queue of the queue
     */
    @Nullable
    public Rejection heldBack(Envelope job, boolean waitsHere, boolean isOfSource) {
        Rejection spent = reject(List.of(job));
        if (spent != null) return spent.code().retryable() ? spent : null;
        Queue queue = queues.imagine(job.queue());
        if (waitsHere || !demands.isWatched(queue) || !queue.config().overflow().holdsBack(isOfSource)) return null;
        RequiredCapacity demand = demands.of(job, queue);
        // In the wait queue its time might be up, and it would not be sent again.
        return comesIn(demand) || grants.unknown(List.of(demand)) != null || demand.canNeverFit()
                ? null
                : Rejection.of(ErrorCode.QUEUE_FULL, "Queue '%s' has no room.".formatted(queue.name));
    }

    /** Returns what is decided about a queue, also for one that is not in use. */
    public QueueConfig config(String queue) {
        return queues.imagine(queue).config();
    }

    /** Makes capacity for all jobs of a batch, or changes nothing. */
    public Room makeRoom(List<Envelope> batch, @Nullable Patient command) {
        Rejection spent = reject(batch);
        return spent == null
                ? makeRoom(demands.ofBatch(batch), waits.of(command), waits.soon(command))
                : Room.unless(spent);
    }

    /**
     * Makes capacity as for a batch, but the victims stay until the batch is settled: no client can reach them, and
     * their capacity is taken.
     */
    public Room promiseRoom(List<Envelope> batch, Prepare asking) {
        Rejection spent = reject(batch);
        return spent == null ? promise(demands.ofBatch(batch), asking) : Room.unless(spent);
    }

    /** The same for jobs that come later, in parts: what is there for them is kept. */
    public Room keepRoom(Prepare asking) {
        Rejection spent =
                gates.reject(asking.demands().stream().map(QueueDemand::queue).toList());
        for (QueueDemand demand : asking.demands())
            if (spent == null) spent = entry.reject(demand.type(), out.by(), queues.imagine(demand.queue()));
        if (spent != null) return Room.unless(spent);
        Room room = promise(demands.of(asking.demands()), asking);
        if (room.isThere) kept.keep(asking.coordinator(), asking.batch(), asking.demands());
        return room;
    }

    /** Returns why there is no capacity, as its producer would be answered; null if there is. Nothing is kept. */
    @Nullable
    public Rejection reject(QueueDemand asked) {
        Queue queue = queues.imagine(asked.queue());
        Rejection spent = gates.reject(List.of(asked.queue()));
        if (spent == null) spent = entry.reject(asked.type(), out.by(), queue);
        if (spent != null || !demands.isWatched(queue)) return spent;
        return findRoom(List.of(demands.of(asked)), null, ProducerWaits.probing())
                .rejection();
    }

    private Room promise(Collection<RequiredCapacity> demands, Prepare asking) {
        producers.comes(asking);
        Room room = findRoom(demands, waits.of(asking), null);
        producers.goes();
        room.victims.forEach(victim -> jobs.apply(new JobChange.Promised(victim.promise), dropped.find(victim.id)));
        out.aboutNothing();
        return room;
    }

    /** Takes capacity for a part of a batch from its reservation; its tenants may have none left. */
    public Room takeRoom(List<Envelope> part, Prepare asking, long room) {
        Rejection spent = reject(part);
        if (spent != null) return Room.unless(spent);
        Map<String, CapacityReservations.Share> left = kept.of(asking.coordinator(), room);
        Map<String, CapacityReservations.Share> taken = CapacityReservations.Share.of(part);
        taken.entrySet()
                .removeIf(queue -> !left.getOrDefault(queue.getKey(), CapacityReservations.Share.NONE)
                        .covers(queue.getValue()));
        List<RequiredCapacity> beyond = new ArrayList<>();
        Collection<RequiredCapacity> needed = demands.ofBatch(part);
        GrantChecks.Unknown unknown = grants.unknown(needed);
        if (unknown != null) return new Room(false, null, 0, List.of(), unknown);
        for (RequiredCapacity demand : needed) {
            if (!taken.containsKey(demand.queue().name)) beyond.add(demand);
            else if (!demand.tenants().fits()) return Room.unless(rejections.reject(demand));
        }
        Room found = promise(beyond, asking);
        if (found.isThere) kept.take(asking.coordinator(), room, taken);
        return found;
    }

    /** Releases the reservation of a batch. */
    public void freeRoom(PartitionId coordinator, long room) {
        kept.free(coordinator, room);
    }

    /** Settles a victim of a batch: it is dropped if the batch is stored, else it stays. */
    public void settle(JobId victim, long rank, boolean stored) {
        out.about(Quarantine.JOB, victim);
        JobRecord job = jobs.find(victim);
        // It may have ended meanwhile, which has freed the capacity, too.
        if (job != null && job.promise != null && job.rank == rank) {
            if (stored) dropped.drop(job);
            else jobs.apply(new JobChange.GraceGranted(), job);
        }
        out.aboutNothing();
    }

    /** A batch that another partition decides about does not wait here any more. */
    public void leaveLine(PartitionId coordinator, long batch) {
        producers.leave(coordinator, batch);
        grants.parked().drop(coordinator, batch);
    }

    /** Returns why jobs of this type may not come into the queue, also those that are sent on. */
    @Nullable
    public Rejection reject(String type, Queue queue) {
        Rejection spent = gates.reject(List.of(queue.name));
        return spent == null ? entry.rejectType(type, queue) : spent;
    }

    private boolean comesIn(RequiredCapacity demand) {
        // mutant: producers-in-order
        return demand.fits() && !isBehind(demand);
    }

    boolean isBehind(RequiredCapacity demand) {
        return producers.areBefore(demand.queue(), demand.tenants().jobs(), space);
    }

    /** Returns whether the batch comes in without a dropped job or a wait. */
    public boolean isThereRoom(List<Envelope> batch) {
        return reject(batch) == null && demands.ofBatch(batch).stream().allMatch(this::comesIn);
    }

    private @Nullable Rejection reject(List<Envelope> batch) {
        Rejection spent =
                gates.reject(batch.stream().map(Envelope::queue).distinct().toList());
        for (int i = 0; spent == null && i < batch.size(); i++)
            spent = entry.reject(
                    batch.get(i).type(), out.by(), queues.imagine(batch.get(i).queue()));
        return spent;
    }

    /** Makes capacity for a job of the queue that had ended, and is to live again. */
    public Room makeRoomAgain(JobRecord job) {
        Rejection closed = gates.rejectEntry(List.of(job.queue));
        return closed == null ? makeRoomFor(job, queues.use(job.queue), false) : Room.unless(closed);
    }

    /**
     * Makes capacity for a job that comes from another queue.
     *
     * @param hasGrant it counted for its tenant there
     */
    public Room makeRoomFor(JobRecord job, Queue queue, boolean hasGrant) {
        if (!demands.isWatched(queue)) return Room.THERE;
        TenantDemand tenant = TenantDemand.of(queue, job, tenants, !hasGrant && grants.isActive());
        RequiredCapacity demand = new RequiredCapacity(queue, 1, job.sizeBytes, job.type, tenant);
        return makeRoom(List.of(hasGrant ? demand : grants.fill(demand)), null, null);
    }

    private Room makeRoom(
            Collection<RequiredCapacity> demands,
            ProducerWaits.@Nullable Joining line,
            ProducerWaits.@Nullable Joining soon) {
        Room room = findRoom(demands, line, soon);
        room.victims.forEach(victim -> dropped.drop(dropped.find(victim.id)));
        out.aboutNothing();
        return room;
    }

    /**
     * Looks for capacity. Nothing has happened yet to the victims.
     *
     * @param line for a producer that can wait for capacity
     * @param soon for one that cannot, but goes on with the next step if more jobs are to be dropped than one step may
     */
    private Room findRoom(
            Collection<RequiredCapacity> demands,
            ProducerWaits.@Nullable Joining line,
            ProducerWaits.@Nullable Joining soon) {
        // A demand that can never fit is rejected as such, whatever the free capacity.
        for (RequiredCapacity demand : demands)
            if (demand.canNeverFit() || grants.neverFitting(demand.tenants()) != null)
                return Room.unless(rejections.reject(demand));
        GrantChecks.Unknown unknown = grants.unknown(demands);
        // mutant: tenant-asks
        if (unknown != null) return new Room(false, null, 0, List.of(), unknown);
        List<Victim> victims = new ArrayList<>();
        RequiredCapacity waiting = null;
        RequiredCapacity dropping = null;
        List<Victim> first = List.of();
        for (RequiredCapacity demand : demands) {
            if (comesIn(demand)) continue;
            Overflow strategy = demand.queue().config().overflow();
            if (strategy == Overflow.DROP_OLDEST && (line == null || !line.isOfOwn())) {
                DroppedJobs.Victims chosen = dropped.choose(demand, isBehind(demand));
                victims.addAll(chosen.some());
                if (chosen.areEnough()) continue;
                if (chosen.areFirst() && soon != null) {
                    if (dropping == null) first = chosen.some();
                    if (dropping == null) dropping = demand;
                    continue;
                }
            }
            if (line == null || !(strategy == Overflow.BLOCK || line.isOfOwn()))
                return Room.unless(rejections.reject(demand));
            if (waiting == null) waiting = demand;
        }
        if (waiting != null && line != null) {
            boolean isFirst = producers.at(waiting.queue().name) == 0 && producers.waitingSince() == null;
            Room room = waits(waiting, demands, line, List.of());
            if (isFirst && room.place != 0)
                pressure.blocked(waiting.queue(), CapacityRejections.rejectedTenant(waiting));
            return room;
        }
        if (dropping != null && soon != null) return waits(dropping, demands, soon, first);
        return new Room(true, null, 0, victims, null);
    }

    private Room waits(
            RequiredCapacity waiting,
            Collection<RequiredCapacity> demands,
            ProducerWaits.Joining line,
            List<Victim> victims) {
        Long place = line.join(waiting);
        if (place == null) return Room.unless(rejections.reject(waiting, "too_many_waiting"));
        queues.changed(waiting.queue());
        if (line.countsNow())
            for (RequiredCapacity demand : demands) {
                demand.queue().isOffered(demand.jobs(), out.now());
                queues.changed(demand.queue());
            }
        return new Room(false, null, place, victims, null);
    }

    @Override
    public void save() {
        dropped.endStep();
    }

    @Override
    public void rollBack() {
        dropped.endStep();
    }

    /** Returns the grants that producers of a tenant wait for. */
    public GrantDemand waiting(String tenant) {
        return producers.ofTenants.demand(tenant);
    }

    /** Lets producers in at the end of a step, one after the other, as far as there is capacity in the queues that it has changed. */
    public void letIn() {
        for (String tenant : accounts.takeFreed(TenantResource.JOBS)) producers.ofTenants.look(tenant);
        producers.letIn(List.copyOf(queues.changed()), space);
    }

    /** Returns the fill levels of queues with bounds, a row for each, for commands that have changed them. */
    public List<byte[]> loads(Collection<String> names) {
        return report.loads(names, List.of());
    }

    /** Returns the fill levels as if these victims had been dropped already. */
    public List<byte[]> loads(Collection<String> names, List<Victim> victims) {
        return report.loads(names, victims);
    }
}
