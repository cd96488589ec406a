package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.json.Wire;
import io.floodgate.topics.json.WireName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What those who look after jobs and workers ask of a partition, a slice at a time. */
public sealed interface AdminCommand extends Command {
    /**
     * Jobs of the partition in the order of their ids, which for ids that Floodgate made is that of their coming.
     *
     * @param after the cursor of the slice before: the id it ended with
     */
    record ListJobs(
            JobFilter filter,
            boolean oldestFirst,
            @Wire.Least(1) @Wire.Capped(ListJobs.MAX_LIMIT) int limit,
            @Wire.Name("after") @Nullable JobId after)
            implements AdminCommand {
        public static final int MAX_LIMIT = 200;
    }

    /** The workers whose registry this partition is, by name; {@code after} is the cursor of the slice before. */
    record ListWorkers(
            @Wire.Least(1) @Wire.Capped(ListWorkers.MAX_LIMIT)
            int limit,

            @Nullable String after) implements AdminCommand {
        public static final int MAX_LIMIT = 200;
    }

    /** The jobs that the worker has leases of in this partition. */
    record ListLeases(
            @Wire.Name("worker_id") String worker,

            @Wire.Least(1) @Wire.Capped(ListLeases.MAX_LIMIT)
            int limit) implements AdminCommand {
        public static final int MAX_LIMIT = 200;
    }

    /**
     * Tenants that have jobs in queues of this partition which bound their tenants, or a bound of their own there; by name.
     *
     * @param after the cursor of the slice before: the name it ended with
     */
    record ListTenants(
            @Wire.Least(1) @Wire.Capped(ListTenants.MAX_LIMIT)
            int limit,

            @Nullable String after) implements AdminCommand {
        public static final int MAX_LIMIT = 100;
    }

    /** The same of one tenant. */
    record GetTenant(@Wire.Name("tenant_id") String tenant) implements AdminCommand {}

    /** What is done to many jobs (OJS bulk operations §6 to §8). */
    enum BulkAction implements WireName {
        CANCEL,
        RETRY,
        /** Of jobs that have ended. */
        DELETE,
        /** Whatever state they are in: those that have not ended are cancelled first. */
        PURGE
    }

    /**
     * Begins to do this to all jobs of the partition that are meant, as a background task; what came in later is left alone.
     *
     * @param operation its name, by which it is asked about; the same again begins nothing
     */
    record BeginBulk(String operation, BulkAction action, JobFilter filter) implements AdminCommand {}

    /** How far it has come. */
    record GetBulk(String operation) implements AdminCommand {}

    /** It goes no further. */
    record StopBulk(String operation) implements AdminCommand {}

    /**
     * The partition hands out no jobs, or does so again.
     *
     * @param until when this is thought to be over; nothing follows from it
     */
    record Maintain(
            boolean enabled,
            @Nullable String reason,
            @Wire.Rfc3339 @Nullable Instant until) implements AdminCommand {}
}
