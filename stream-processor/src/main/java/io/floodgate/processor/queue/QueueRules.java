package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.kernel.Rules;
import io.floodgate.processor.kernel.SetAside;
import io.floodgate.processor.kernel.SetAside.Subject;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.queue.QueueChange.Configured;
import io.floodgate.processor.queue.QueueChange.Paused;
import io.floodgate.processor.queue.QueueChange.Resumed;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.LogCommand.ListDead;
import io.floodgate.topics.command.LogCommand.Withdraw;
import io.floodgate.topics.command.Message.Defaults;
import io.floodgate.topics.command.Message.EndMove;
import io.floodgate.topics.command.Message.ExpectJobs;
import io.floodgate.topics.command.Message.Expected;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.command.Message.HasCome;
import io.floodgate.topics.command.Message.LimitChanged;
import io.floodgate.topics.command.Message.MoveJobs;
import io.floodgate.topics.command.Message.Transfer;
import io.floodgate.topics.command.Message.Transferred;
import io.floodgate.topics.command.Message.WantDefaults;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CountRefused;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The queues and jobs of one log: what commands, messages and timers do to them. */
public final class QueueRules implements Entity {
    private final DefaultConfig defaultConfig;
    private final DefaultPolicy defaults;
    private final Queues queues;
    private final Jobs jobs;
    private final Admission admission;
    private final ReservedJobs reserved;
    private final JobTimers jobTimers;
    private final JobRules jobRules;
    private final Confines confines;
    private final LeaseRegistrations registrations;
    private final Leases leases;
    private final Departures departures;
    private final Waiters waiters;
    private final Waiting waiting;
    private final Serving serving;
    private final Retention retention;
    private final CountedJobs counted;
    private final UnusedQueues unused;
    private final Capacity capacity;
    private final Gates gates;
    private final TenantCounting tenants;
    private final Pressure pressure;
    private final Producers producers;
    private final Bounds bounds;
    private final Transfers transfers;
    private final DeskTable deskTable;
    private final Desks desks;
    private final LimitedJobs limitedJobs;
    private final QueueLives lives;
    private final Moving moving;
    private final Expecting expecting;
    private final KeptRoom kept;
    private final DeadLetters deadLetters;
    private final JobListing listing;
    private final TenantListing tenantListing;
    private final BulkJobs bulk;
    private final Inlets inlets;
    private final Maintenance maintenance;
    private final LastFetches lastFetches;
    private final StartLimits startLimits;
    private final BrokenJobs broken;
    private final Clearing clearing;
    private final Housekeeping housekeeping;
    private final Rules rules;
    private final Effects out;
    private final List<String> changed = new ArrayList<>();

    public QueueRules(
            Stores stores,
            Routing routing,
            Timers timers,
            Work work,
            Housekeeping housekeeping,
            SetAside setAside,
            LimitRules limits,
            Rules rules,
            Undo undo,
            Effects out) {
        this.housekeeping = housekeeping;
        this.rules = rules;
        this.out = out;
        defaultConfig = new DefaultConfig(stores.entities(), undo);
        queues = new Queues(stores.entities(), defaultConfig::config, undo, out);
        defaults = new DefaultPolicy(defaultConfig, queues, routing, work, rules, out);
        deskTable = new DeskTable(stores.entities(), routing, undo);
        JobOrders orders = new JobOrders(timers, deskTable, undo);
        waiters = new Waiters(stores.entities(), timers, undo, out);
        desks = new Desks(deskTable, routing, queues, waiters, timers, limits, out);
        limits.commands().define(new QueueLimits(queues));
        counted = new CountedJobs(stores.jobs(), stores.entities(), queues);
        FinishedJobs finished = new FinishedJobs(stores.jobs(), housekeeping, queues, counted, rules::settings);
        Payloads payloads = new Payloads(stores.payloads());
        tenants = new TenantCounting(queues, payloads, work, undo);
        jobs = new Jobs(stores, routing, queues, finished, orders, setAside, payloads, tenants, out);
        tenants.define(jobs);
        producers = new Producers(stores.entities(), queues, timers, work, undo, out);
        admission = new Admission(queues, jobs, producers, desks, out);
        reserved = new ReservedJobs(jobs, admission);
        registrations = new LeaseRegistrations(stores.entities(), routing, housekeeping, undo, out);
        capacity = new Capacity(
                queues, orders, waiters, registrations, timers, producers, tenants, deskTable, limits, rules);
        pressure = new Pressure(queues, timers, out);
        queues.define(pressure::tellRest);
        gates = new Gates(queues, capacity, rules);
        kept = new KeptRoom(stores.entities(), queues);
        bounds = new Bounds(queues, jobs, gates, pressure, producers, tenants, kept, out);
        transfers = new Transfers(stores.entities(), routing, queues, jobs, reserved, bounds, work, out);
        Attempts attempts = new Attempts(jobs, new Burials(queues, jobs, transfers, rules));
        jobTimers = new JobTimers(jobs, attempts, out);
        limitedJobs = new LimitedJobs(jobs, queues, desks, routing, work, out);
        jobs.define(limitedJobs::define);
        startLimits = new StartLimits(jobs, queues, desks, out);
        JobActions actions = new JobActions(jobs, bounds, out);
        maintenance = new Maintenance(stores.entities(), queues, work, undo, out);
        Reasons reasons = new Reasons(queues, orders, maintenance, out);
        jobRules = new JobRules(jobs, attempts, actions, bounds, transfers, limitedJobs, startLimits, reasons, out);
        moving = new Moving(jobs, payloads, routing, out);
        expecting = new Expecting(stores.entities(), routing, queues, jobs, gates, reserved, producers, out);
        inlets = new Inlets(stores.entities(), bounds, out);
        lives = new QueueLives(
                queues,
                jobs,
                jobTimers,
                capacity,
                producers,
                tenants,
                moving,
                inlets,
                limits.commands(),
                timers,
                work,
                out);
        Fetches fetches = new Fetches(queues, jobs, jobTimers, registrations, startLimits, maintenance, out);
        lastFetches = new LastFetches(stores.entities(), queues, undo, out);
        serving = new Serving(stores.entities(), queues, waiters, fetches, startLimits, timers, work, undo, out);
        unused = new UnusedQueues(queues, waiters, housekeeping, rules::settings, out);
        waiting = new Waiting(
                fetches, desks, startLimits, serving, waiters, unused, registrations, capacity, lastFetches, out);
        confines = new Confines(payloads, out);
        leases = new Leases(jobs, jobTimers, attempts, confines, out);
        departures = new Departures(jobs, leases, waiting, registrations, work, out);
        retention = new Retention(stores.jobs(), jobs, finished, housekeeping, undo, out);
        broken = new BrokenJobs(jobs, queues, finished, tenants);
        clearing = new Clearing(stores, queues, jobs, registrations, waiting, serving, tenants, out);
        deadLetters = new DeadLetters(stores.jobs(), queues, jobs, out);
        JobSearch search = new JobSearch(stores.jobs(), payloads);
        listing = new JobListing(search, jobs, out);
        tenantListing = new TenantListing(queues, out);
        bulk = new BulkJobs(stores.entities(), search, jobs, jobTimers, actions, work, undo, out);
    }

    @Override
    public void load() {
        defaultConfig.load();
        queues.load();
        lastFetches.load();
        tenants.load();
        desks.load();
        jobs.load();
        desks.endLoad();
        registrations.load();
        waiters.load();
        producers.load();
        serving.load();
        retention.load();
        pressure.load();
        lives.load();
    }

    /** The jobs that are counted, but not seen: their batches are not settled. */
    public ReservedJobs reserved() {
        return reserved;
    }

    /** Whether this log has the job, were it only reserved. */
    public boolean knows(JobId id) {
        return jobs.knows(id);
    }

    /** What comes in has to ask these first. */
    public Bounds bounds() {
        return bounds;
    }

    /** Takes the job in; the tail of what is shown of it. */
    public byte[] admit(Envelope envelope, JobId id, boolean registered) {
        return JobView.tail(admission.admit(envelope, id, registered));
    }

    /** What is decided about all queues. */
    public void takeDefaults(Defaults message) {
        defaults.take(message);
    }

    public void tellDefaults(WantDefaults message) {
        defaults.tell(message);
    }

    public void create(CreateQueue command) {
        Refusal impossible = Entry.refuseConfig(command.queue(), command.config());
        if (impossible != null) {
            out.refuse(impossible);
            return;
        }
        Queue queue = lives.create(command);
        if (queue != null) replyStatus(queue);
    }

    public void delete(DeleteQueue command) {
        lives.delete(command);
    }

    public void expect(ExpectJobs message) {
        expecting.expect(message);
    }

    public void expected(Expected message) {
        lives.expected(message);
    }

    public void arrive(MoveJobs message) {
        expecting.arrive(message);
    }

    public void endMove(EndMove message) {
        expecting.end(message);
    }

    public void configure(ConfigureQueue command) {
        Refusal impossible = Entry.refuseConfig(command.queue(), command.set());
        if (impossible != null) {
            out.refuse(impossible);
            return;
        }
        if (command.queue().equals(QueueConfig.DEFAULT)) {
            defaults.configure(command);
            return;
        }
        Queue known = queues.find(command.queue());
        Refusal refusal = known == null ? refuseNew(command) : Gates.refuseChange(known);
        if (refusal != null) {
            out.refuse(refusal);
            return;
        }
        QueueConfig before = known == null ? QueueConfig.NONE : known.decided();
        QueueConfig config = command.set().over(before.without(command.unset()));
        if (config.tenants().depths().size() > TenantBounds.MOST) {
            out.refuse(tooManyTenants(command.queue()));
            return;
        }
        Queue queue = queues.use(command.queue());
        if (!config.equals(before)) {
            queues.apply(new Configured(config), queue);
            tenants.follow(queue, jobs);
            if (!config.limits().equals(before.limits())) queues.toServe(queue);
        }
        if (!command.set().limits().isUnlimited() || !Collections.disjoint(command.unset(), Allowance.NAMES)) {
            queue.unfreeze();
            queues.changed(queue);
            queues.toServe(queue);
        }
        replyStatus(queue);
    }

    private @Nullable Refusal refuseNew(ConfigureQueue command) {
        return command.mustExist()
                ? Refusal.notFound("queue", command.queue())
                : capacity.refuse(List.of(command.queue()));
    }

    /** A job comes from another queue. */
    public void take(Transfer message) {
        Job job = transfers.take(message);
        if (job != null) jobRules.show(job);
    }

    public void transferred(Transferred message) {
        transfers.end(message);
    }

    public void tell(HasCome message) {
        transfers.tell(message);
    }

    /** Messages between this log and that one were lost. */
    public void verify(LogId other) {
        transfers.verify(other);
        defaults.verify(other);
    }

    /** Answered like an enqueue, without the job; of a queue that is gone by now, nothing is left to count for. */
    public void countRefused(CountRefused command) {
        Queue queue = queues.find(command.queue());
        String tenant = command.tenant();
        if (queue != null && tenant != null && queue.countsTenants())
            pressure.rejected(queue, command.jobs(), command.type(), tenant, true);
        else if (queue != null && queue.config().isBounded())
            pressure.rejected(queue, command.jobs(), command.type(), null, true);
        replyWithLoad(command.queue());
    }

    /** Nothing changes but the counts of what was refused. */
    public void checkRoom(CheckRoom command) {
        Refusal refusal = bounds.refuse(command.demand());
        if (refusal == null) replyWithLoad(command.queue());
        else out.refuse(refusal);
    }

    private void replyWithLoad(String queue) {
        JsonOut reply = new JsonOut(256).beginObject().endObject();
        bounds.loads(List.of(queue)).forEach(load -> reply.newLine().raw(load));
        out.reply(reply.newLine());
    }

    private static Refusal tooManyTenants(String queue) {
        return Refusal.of(
                        ErrorCode.INVALID_REQUEST,
                        "Queue '%s' would have bounds of its own for more than %d tenants; '%s' bounds all others alike."
                                .formatted(queue, TenantBounds.MOST, TenantBounds.OTHERS))
                .with("field", "tenants");
    }

    /** Whether there is such a job here that the sender of the command at hand may not see. */
    public boolean hides(JobId id) {
        Job job = jobs.find(id);
        return job != null && confines.hide(job);
    }

    /** Carries out a command on a job of this log; false when there is no such job here. */
    public boolean apply(JobCommand command) {
        out.about(SetAside.JOB, command.job());
        Job job = jobs.find(command.job());
        if (job == null) return false;
        if (confines.hide(job)) {
            out.refuse(Refusal.notFound("job", command.job().toString()));
            return true;
        }
        jobTimers.catchUp(job);
        jobRules.apply(command, job);
        return true;
    }

    /** @param number the place of this fetch among all that wait, should it have to */
    public void fetch(Fetch fetch, long number) {
        waiting.fetch(fetch, number);
    }

    public void watch(Watch watch, long number) {
        waiting.watch(watch, number);
    }

    public void decline(Decline command) {
        waiting.decline(command.queues());
    }

    public void withdraw(Withdraw command) {
        String requester = command.requester();
        if (command.correlations().isEmpty()) producers.withdrawAll(requester);
        else command.correlations().forEach(correlation -> producers.withdraw(requester, correlation));
        departures.withdraw(command);
    }

    public void pause(String name) {
        Queue known = queues.find(name);
        Refusal refusal = known == null ? gates.refuse(List.of(name)) : Gates.refuseChange(known);
        if (refusal != null) {
            out.refuse(refusal);
            return;
        }
        Queue queue = queues.use(name);
        if (!queue.isPaused()) queues.apply(new Paused(), queue);
        replyStatus(queue);
    }

    public void resume(String name) {
        Queue queue = queues.find(name);
        Refusal refusal = queue == null ? null : Gates.refuseChange(queue);
        if (refusal != null) {
            out.refuse(refusal);
            return;
        }
        if (queue != null && queue.isPaused()) queues.apply(new Resumed(), queue);
        replyStatus(queue == null ? queues.imagine(name) : queue);
    }

    public void show(String name) {
        if (name.equals(QueueConfig.DEFAULT)) defaults.show();
        else replyStatus(queues.imagine(name));
    }

    /** Of the jobs that can be fetched, the highest priority first; of a queue that nobody knows, none. */
    public void countPriorities(String name) {
        Queue queue = queues.imagine(name);
        Map<Integer, Integer> counts = queue.ready().countByPriority();
        JsonOut reply = new JsonOut()
                .beginObject()
                .field("queue", name)
                .field("total", queue.ready().size())
                .name("distribution")
                .beginArray();
        counts.forEach((priority, count) -> reply.beginObject()
                .field("priority", priority)
                .field("count", count)
                .endObject());
        reply.endArray().name("counts_by_priority").beginObject();
        counts.forEach((priority, count) -> reply.field(Integer.toString(priority), count));
        out.reply(reply.endObject().endObject());
    }

    private void replyStatus(Queue queue) {
        if (out.replyTo() == null) return;
        byte[] status = status(queue, out.now());
        out.reply(QueueStatus.complete(status, queue, SystemDefaults.of(rules.settings())));
    }

    /** The queue's line on {@code ojs.queue-status}; nothing for a queue that is not in use. */
    public Optional<byte[]> status(String name, Instant now) {
        Queue queue = queues.find(name);
        return queue == null ? Optional.empty() : Optional.of(status(queue, now));
    }

    private byte[] status(Queue queue, Instant now) {
        return QueueStatus.of(queue, jobs.oldest(queue), now, producers);
    }

    public List<String> names() {
        return queues.all().stream()
                .filter(queue -> !queue.isGone())
                .map(queue -> queue.name)
                .toList();
    }

    public List<String> unbounded() {
        return queues.all().stream()
                .filter(queue -> !queue.isGone() && !queue.config().isBounded())
                .map(queue -> queue.name)
                .toList();
    }

    /** How many jobs are stored, finished ones too. */
    public long jobs() {
        return queues.all().stream().mapToLong(queue -> queue.counts.all()).sum();
    }

    public int waiters() {
        return waiters.size() + producers.size();
    }

    /** What the state of the queues takes in memory, timers of all kinds included. */
    public long memoryBytes() {
        return capacity.bytes();
    }

    public void extend(Extend extend, Function<JobId, @Nullable String> directory) {
        leases.extend(extend, directory);
    }

    /** @param left it has left in good order: its jobs have not failed */
    public void workerLost(String worker, boolean left) {
        departures.workerLost(worker, left);
    }

    /** Whether the worker holds leases here. */
    public boolean leasesTo(String worker) {
        return jobs.leases().has(worker);
    }

    /** Permits for jobs of this log. */
    public void take(GivePermits message) {
        desks.accept(message);
    }

    public void limitChanged(LimitChanged message) {
        limitedJobs.changed(message);
    }

    public void countLimited(CountLimited command) {
        limitedJobs.count(command);
    }

    /** Messages between this log and that one were lost: what they have of permits is told anew. */
    public void verifyPermits(LogId other) {
        limitedJobs.verify(other);
    }

    public void listDead(ListDead command) {
        deadLetters.list(command);
    }

    public JobListing listing() {
        return listing;
    }

    public TenantListing tenants() {
        return tenantListing;
    }

    public BulkJobs bulk() {
        return bulk;
    }

    public Inlets inlets() {
        return inlets;
    }

    public Maintenance maintenance() {
        return maintenance;
    }

    @Override
    public boolean fire(Timer timer) {
        switch (timer.kind()) {
            case JOB -> {
                out.about(SetAside.JOB, timer.job());
                Job job = jobs.findReserved(timer.job());
                if (job != null) jobTimers.catchUp(job);
            }
            case PARKED -> {
                boolean isProducer = producers.waits(timer.high());
                out.about(isProducer ? SetAside.PRODUCER : SetAside.WAITER, timer.high());
                if (!producers.giveUp(timer.high())) waiting.giveUp(timer.high());
            }
            case QUEUE -> serving.lookAgain(timer.name());
            case PERMITS -> desks.fire(timer.name());
            case EXPIRY -> desks.look(timer.name());
            case MOVE -> lives.giveUp(timer.name());
            case REFUSALS -> {
                Queue queue = queues.find(timer.name());
                if (queue != null) pressure.tellRest(queue);
            }
            case HOUSEKEEPING -> {
                housekeeping.begin();
                retention.slice();
                registrations.forgetOld();
                unused.slice();
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Serves who waits from what became ready in this step. */
    @Override
    public void serve() {
        lives.follow();
        retention.pushOut();
        serving.serve(queues.takeToServe());
        waiting.settle();
        desks.settle();
        // What one job has given back another one may start on.
        while (queues.hasToServe()) {
            serving.serve(queues.takeToServe());
            desks.settle();
        }
        bounds.letIn(List.copyOf(queues.changed()));
        if (out.hasLocal()) return;
        pressure.tell(List.copyOf(queues.changed()));
        lives.finish();
    }

    @Override
    public void save() {
        unused.notice();
        jobs.save();
        serving.endStep();
        producers.endStep();
        bounds.endStep();
        deskTable.save();
        changed.addAll(queues.save());
    }

    @Override
    public void rollBack() {
        counted.forgetStep();
        jobs.forgetStep();
        moving.forget();
        serving.endStep();
        producers.endStep();
        bounds.endStep();
        waiting.forgetStep();
        startLimits.forgetStep();
        deskTable.rollBack();
        queues.rollBack();
        changed.clear();
    }

    /** The queues that were changed since this was last asked. */
    public List<String> takeChanged() {
        List<String> taken = List.copyOf(changed);
        changed.clear();
        return taken;
    }

    @Override
    public void settingsChanged() {
        unused.settingsChanged();
    }

    @Override
    public boolean clear(int most) {
        defaultConfig.clear();
        return transfers.clear(most)
                && producers.clear(most)
                && expecting.clear(most)
                && kept.clear(most)
                && clearing.clear(most)
                && desks.clear(most);
    }

    @Override
    public boolean setAside(Subject subject) {
        switch (subject.kind()) {
            // mutant: job-set-aside
            case SetAside.JOB -> jobOf(subject).ifPresent(broken::setAside);
            case SetAside.WAITER -> {
                Waiter waiter = waiters.find(Long.parseLong(subject.name()));
                if (waiter != null) waiters.setAside(waiter);
            }
            case SetAside.PRODUCER -> producers.setAside(Long.parseLong(subject.name()));
            default -> {
                return false;
            }
        }
        return true;
    }

    @Override
    public void takeBack(Subject subject) {
        if (subject.kind().equals(SetAside.JOB)) jobOf(subject).ifPresent(broken::takeBack);
        if (subject.kind().equals(SetAside.WAITER)) waiters.takeBack(Long.parseLong(subject.name()));
        if (subject.kind().equals(SetAside.PRODUCER)) producers.takeBack(Long.parseLong(subject.name()));
    }

    @Override
    public void discard(Subject subject) {
        if (subject.kind().equals(SetAside.JOB)) jobOf(subject).ifPresent(broken::discard);
        if (subject.kind().equals(SetAside.WAITER)) waiters.discard(Long.parseLong(subject.name()));
        if (subject.kind().equals(SetAside.PRODUCER)) producers.discard(Long.parseLong(subject.name()));
    }

    private static Optional<JobId> jobOf(Subject subject) {
        return JobId.parse(subject.name());
    }

    /** Recounts everything from the stores and names what disagrees: for tests. */
    public List<String> audit() {
        return Audit.of(queues, jobs, deskTable, expecting, kept);
    }
}
