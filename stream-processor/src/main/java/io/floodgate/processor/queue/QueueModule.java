package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.queue.admin.BrokenJobs;
import io.floodgate.processor.queue.admin.BulkJobs;
import io.floodgate.processor.queue.admin.DeadLetters;
import io.floodgate.processor.queue.admin.FactsOfJobs;
import io.floodgate.processor.queue.admin.FactsOfWaiting;
import io.floodgate.processor.queue.admin.JobActions;
import io.floodgate.processor.queue.admin.JobListing;
import io.floodgate.processor.queue.admin.JobSearch;
import io.floodgate.processor.queue.admin.QueueFacts;
import io.floodgate.processor.queue.admin.Reasons;
import io.floodgate.processor.queue.admin.StepStandings;
import io.floodgate.processor.queue.admin.TenantListing;
import io.floodgate.processor.queue.bound.Admission;
import io.floodgate.processor.queue.bound.AdmissionChecks;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.queue.bound.Capacity;
import io.floodgate.processor.queue.bound.CapacityReservations;
import io.floodgate.processor.queue.bound.GrantChecks;
import io.floodgate.processor.queue.bound.MoveChecks;
import io.floodgate.processor.queue.bound.Pressure;
import io.floodgate.processor.queue.bound.Producers;
import io.floodgate.processor.queue.bound.ReservedJobs;
import io.floodgate.processor.queue.bound.RoomChecks;
import io.floodgate.processor.queue.fetch.FetchRules;
import io.floodgate.processor.queue.fetch.Fetches;
import io.floodgate.processor.queue.fetch.LastFetches;
import io.floodgate.processor.queue.fetch.Leases;
import io.floodgate.processor.queue.fetch.LimitedJobs;
import io.floodgate.processor.queue.fetch.LostRequesters;
import io.floodgate.processor.queue.fetch.Maintenance;
import io.floodgate.processor.queue.fetch.RunningGrants;
import io.floodgate.processor.queue.fetch.Serving;
import io.floodgate.processor.queue.fetch.StartLimits;
import io.floodgate.processor.queue.fetch.TenantSorting;
import io.floodgate.processor.queue.fetch.UnusedQueues;
import io.floodgate.processor.queue.fetch.Waiting;
import io.floodgate.processor.queue.job.CountedJobs;
import io.floodgate.processor.queue.job.FinishedJobs;
import io.floodgate.processor.queue.job.JobOrders;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.KeyScope;
import io.floodgate.processor.queue.job.LeaseRegistrations;
import io.floodgate.processor.queue.job.LimitsOfJobs;
import io.floodgate.processor.queue.job.Payloads;
import io.floodgate.processor.queue.job.Retention;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.job.TenantRecount;
import io.floodgate.processor.queue.job.TenantSweep;
import io.floodgate.processor.queue.job.TenantTurns;
import io.floodgate.processor.queue.job.Ties;
import io.floodgate.processor.queue.lifecycle.Clearing;
import io.floodgate.processor.queue.lifecycle.DefaultPolicy;
import io.floodgate.processor.queue.lifecycle.IngressPartitions;
import io.floodgate.processor.queue.lifecycle.QueueAdmin;
import io.floodgate.processor.queue.lifecycle.QueueEnd;
import io.floodgate.processor.queue.lifecycle.QueueLives;
import io.floodgate.processor.queue.lifecycle.QueueReplies;
import io.floodgate.processor.queue.permit.PermitAccounts;
import io.floodgate.processor.queue.state.PermitAccountStore;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.tenant.GrantDemand;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.processor.queue.tenant.TenantGrants;
import io.floodgate.processor.queue.transfer.Attempts;
import io.floodgate.processor.queue.transfer.DeadLetterMoves;
import io.floodgate.processor.queue.transfer.IncomingMoves;
import io.floodgate.processor.queue.transfer.JobTimers;
import io.floodgate.processor.queue.transfer.MoveCounting;
import io.floodgate.processor.queue.transfer.OutgoingMoves;
import io.floodgate.processor.queue.transfer.Transfers;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.queue.TenantResource;
import java.util.List;

/** The parts that the queues of a partition consist of, and how they depend on each other: wiring, and nothing else. */
final class QueueModule {
    final Queues queues;
    final Jobs jobs;
    final Ties ties;
    final PermitAccountStore accountTable;
    final DefaultPolicy defaults;
    final Waiters waiters;
    final PermitAccounts accounts;
    final Producers producers;
    final Bounds bounds;
    final Pressure pressure;
    final Capacity capacity;
    final CapacityReservations kept;
    final TenantAccounts tenantAccounts;
    final TenantCounting tenants;
    final RunningGrants running;
    final TenantGrants tenantGrants;
    final TenantSweep tenantSweep;
    final Admission admission;
    final ReservedJobs reserved;
    final RoomChecks roomChecks;
    final Transfers transfers;
    final IncomingMoves expecting;
    final MoveCounting moveCounting;
    final JobTimers jobTimers;
    final JobRules jobRules;
    final JobReplies jobReplies;
    final KeyScope confines;
    final KeyHolders holders;
    final OwnedJobs owned;
    final StepStandings stepStandings;
    final LimitedJobs limitedJobs;
    final FetchRules fetches;
    final Waiting waiting;
    final Serving serving;
    final Leases leases;
    final LostRequesters departures;
    final Retention retention;
    final QueueAdmin admin;
    final QueueReplies queueReplies;
    final QueueFacts queueFacts;
    final QueueLives lives;
    final DeadLetters deadLetters;
    final JobListing listing;
    final TenantListing tenantListing;
    final BulkJobs bulk;
    final IngressPartitions ingresses;
    final Maintenance maintenance;

    /**
     * All parts with a state of their own, from the bottom up: a part is loaded after those that it builds on, and saved, rolled
     * back and cleared before them.
     */
    final List<Entity> parts;

    QueueModule(QueueState state, LimitRules limits, Housekeeping housekeeping, PartitionContext context) {
        KeyValues entities = context.entities();
        Undo undo = context.undo();
        Effects out = context.out();
        queues = state.queues;
        accountTable = state.accounts;
        defaults = new DefaultPolicy(state.defaults, queues, context);
        TenantTurns turns = new TenantTurns(entities, queues, undo);
        JobOrders orders = new JobOrders(context.timers(), accountTable, turns, undo);
        LeaseRegistrations registrations = new LeaseRegistrations(housekeeping, context);

        waiters = new Waiters(context);
        accounts = new PermitAccounts(accountTable, queues, waiters, limits, context);
        CountedJobs counted = new CountedJobs(context.stores().jobs(), entities, queues);
        FinishedJobs finished =
                new FinishedJobs(context.stores().jobs(), housekeeping, queues, counted, context::settings);
        Payloads payloads = new Payloads(context.stores().payloads());
        tenantAccounts = state.tenants;
        tenantGrants = new TenantGrants(state.tenantStore, tenantAccounts, state.parked, context);
        tenants = new TenantCounting(queues, payloads, turns, tenantAccounts, undo);
        ties = new Ties(out);
        LimitsOfJobs limitsOfJobs = new LimitsOfJobs(payloads, accounts);
        jobs = new Jobs(queues, finished, orders, payloads, tenants, limitsOfJobs, ties, state.wanted, context);
        TenantRecount recount = new TenantRecount(queues, jobs, tenants, tenantAccounts, context.work());
        tenantSweep = new TenantSweep(queues, jobs, recount, tenantAccounts, tenantGrants, context.work());
        confines = new KeyScope(payloads, out);

        producers = new Producers(queues, context);
        pressure = new Pressure(queues, context.timers(), tenantAccounts::useOfJobs, out);
        capacity = new Capacity(
                queues,
                context.rules(),
                List.of(
                        queues::memoryBytes,
                        orders::memoryBytes,
                        context.timers()::bytes,
                        waiters::bytes,
                        registrations::bytes,
                        producers::memoryBytes,
                        tenants::memoryBytes,
                        tenantAccounts::memoryBytes,
                        accountTable::bytes,
                        limits::memoryBytes));
        AdmissionChecks gates = new AdmissionChecks(queues, capacity, context.rules());
        kept = new CapacityReservations(entities, queues);
        GrantChecks grants = new GrantChecks(tenantAccounts, state.parked, tenants, out);
        bounds = new Bounds(queues, jobs, gates, pressure, producers, grants, kept, out);
        admission = new Admission(queues, jobs, producers, accounts, context);
        reserved = new ReservedJobs(jobs, admission);
        roomChecks = new RoomChecks(queues, bounds, pressure, out);

        transfers = new Transfers(queues, jobs, reserved, bounds, tenants, context);
        Attempts attempts = new Attempts(jobs, new DeadLetterMoves(queues, jobs, transfers, context.rules()));
        jobTimers = new JobTimers(jobs, attempts, out);
        OutgoingMoves moving = new OutgoingMoves(jobs, payloads, tenants, context.routing(), out);
        MoveChecks moveChecks = new MoveChecks(queues, gates, bounds, producers);
        expecting = new IncomingMoves(queues, jobs, moveChecks, reserved, tenants, context);
        moveCounting = new MoveCounting(queues, jobs, tenants, moving, context);

        limitedJobs = new LimitedJobs(jobs, queues, accounts, context.routing(), context.work(), out);
        maintenance = new Maintenance(queues, context);
        running = new RunningGrants(queues, waiters, tenantAccounts, tenants, recount, maintenance, out);
        StartLimits startLimits = new StartLimits(jobs, queues, accounts, running, out);
        LastFetches lastFetches = new LastFetches(entities, queues, undo, out);
        Fetches deliveryRefs =
                new Fetches(queues, jobs, jobTimers, registrations, startLimits, maintenance, lastFetches, out);
        TenantSorting sorting = new TenantSorting(queues, waiters, recount);
        serving = new Serving(queues, waiters, deliveryRefs, startLimits, sorting, context);
        UnusedQueues unused = new UnusedQueues(queues, waiters, housekeeping, context::settings, out);
        waiting = new Waiting(waiters, serving, unused, registrations, capacity, accounts, out);
        fetches = new FetchRules(deliveryRefs, startLimits, serving, waiters, waiting, lastFetches, sorting, out);
        leases = new Leases(jobs, jobTimers, attempts, confines, out);
        departures = new LostRequesters(jobs, leases, waiting, registrations, context.work(), out);

        holders = new KeyHolders(jobs, jobTimers, confines, out);
        retention = new Retention(jobs, finished, housekeeping, context);
        ingresses = new IngressPartitions(entities, bounds, out);
        queueReplies = new QueueReplies(jobs, producers, context);
        admin = new QueueAdmin(queues, defaults, gates, capacity, recount, queueReplies, out);
        QueueEnd end = new QueueEnd(queues, tenants, ingresses, limits.commands());
        lives = new QueueLives(queues, jobs, jobTimers, producers, moving, end, context);
        Clearing clearing = new Clearing(context.stores(), queues, jobs, registrations, waiting, serving, tenants, out);

        JobActions actions = new JobActions(jobs, bounds, out);
        owned = new OwnedJobs(jobs, jobTimers, actions, bounds, admission, producers, state.parked, out);
        stepStandings = new StepStandings(queues, jobs, producers, startLimits, confines, out);
        jobReplies = new JobReplies(jobs, bounds, startLimits, out);
        queueFacts = new QueueFacts(
                queues,
                queueReplies,
                maintenance,
                new FactsOfWaiting(waiters, producers),
                new FactsOfJobs(jobs, context.stores().jobs(), out),
                out);
        Reasons reasons = new Reasons(queues, jobs, orders, maintenance, waiters, tenants, running, out);
        jobRules = new JobRules(jobs, attempts, actions, transfers, limitedJobs, reasons, jobReplies, out);
        BrokenJobs broken = new BrokenJobs(jobs, queues, finished, recount);
        deadLetters = new DeadLetters(context.stores().jobs(), queues, jobs, out);
        JobSearch search = new JobSearch(context.stores().jobs(), payloads);
        listing = new JobListing(search, jobs, out);
        tenantListing = new TenantListing(queues, tenantAccounts, out);
        bulk = new BulkJobs(search, jobs, jobTimers, actions, context);

        parts = List.of(
                state.defaults,
                queues,
                lastFetches,
                turns,
                tenants,
                state.parked,
                state.tenantStore,
                tenantAccounts,
                tenantGrants,
                accountTable,
                counted,
                ties,
                jobs,
                accounts,
                clearing,
                registrations,
                waiters,
                kept,
                expecting,
                producers,
                bounds,
                pressure,
                transfers,
                jobTimers,
                moving,
                startLimits,
                maintenance,
                serving,
                waiting,
                fetches,
                retention,
                unused,
                ingresses,
                lives,
                broken,
                bulk);
    }

    /** Returns the grants of a bound over all queues that producers, or workers, wait for. */
    GrantDemand waiting(GrantKey key) {
        return key.resource() == TenantResource.RUNNING ? running.demand(key.tenant()) : bounds.waiting(key.tenant());
    }
}
