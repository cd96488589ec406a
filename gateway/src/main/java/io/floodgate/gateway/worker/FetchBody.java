package io.floodgate.gateway.worker;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.pool.QueueOrder;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.queue.TenantId;
import io.floodgate.topics.version.VersionRange;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The wish of a worker for jobs (OJS HTTP binding §10.1).
 *
 * @param types of jobs that it wants, and their versions
 * @param namesVersions whether it says which versions it takes
 * @param patience how long it wants to wait; null if it does not say
 * @param order in which the queues are looked into
 */
record FetchBody(
        List<String> queues,
        int count,
        @Nullable String worker,
        @Nullable Duration visibility,
        WantedJobs types,
        boolean namesVersions,
        @Nullable Duration patience,
        QueueOrder.Wish order) {
    /** Fields that this server uses. Some clients send others, such as {@code runtime}. */
    private static final Set<String> KNOWN = Set.of(
            "queues",
            "count",
            "worker_id",
            "wait_ms",
            "visibility_timeout_ms",
            "visibility_timeout",
            "types",
            "exclude_types",
            "tenants",
            "accept_versions",
            "pool",
            "strategy",
            "weights");

    private static final long MAX_WAIT_MS = 60_000;
    /**
     * Bytes kept for each byte of the body: the characters of names, and as often again on their way to partitions and
     * in what waits there.
     */
    static final int KEPT = 4;
    /** Bytes kept around each name. */
    private static final int BYTES_AROUND_NAME = 64;

    /** @param tenant of the request; null if it does not name one */
    static FetchBody read(RequestFields body, @Nullable String tenant) throws RejectedException {
        Optional<Long> wait = body.spelled(KNOWN).number("wait_ms");
        Map<String, VersionRange> versions = VersionFields.byType(body, "accept_versions");
        WantedJobs types = types(body).ofTenants(tenants(body, tenant));
        QueueOrder.Wish order = QueueOrder.Wish.read(body, Limits.NAME_CHARS);
        boolean areOfPool = order.pool() != null && !body.has("queues");
        List<String> queues = areOfPool ? List.of() : queues(body);
        inReach(queues.size(), types);
        return new FetchBody(
                queues,
                Math.clamp(body.number("count").orElse(1L), 1, Fetch.MAX_COUNT),
                body.text("worker_id", Limits.NAME_CHARS),
                body.length("visibility_timeout_ms", "visibility_timeout"),
                versions == null ? types : types.accepting(versions),
                versions != null,
                wait.map(ms -> Duration.ofMillis(Math.clamp(ms, 0L, MAX_WAIT_MS)))
                        .orElse(null),
                order);
    }

    /** Returns the memory that is kept beside {@link #KEPT}, for as long as the fetch lasts, which may be a minute. */
    long memoryOfNames() {
        return (long) BYTES_AROUND_NAME
                * (queues.size()
                        + types.names().size()
                        + types.versions().size()
                        + types.tenants().size());
    }

    /** The same, taking only these versions. */
    FetchBody accepting(Map<String, VersionRange> versions) {
        return new FetchBody(
                queues, count, worker, visibility, types.accepting(versions), namesVersions, patience, order);
    }

    /** The same with its queues in this order. */
    FetchBody in(List<String> ordered) throws RejectedException {
        inReach(ordered.size(), types);
        return new FetchBody(ordered, count, worker, visibility, types, namesVersions, patience, order);
    }

    Fetch waiting(Duration wait) {
        Duration whole = Duration.ofMillis(Math.max(0, wait.toMillis()));
        return new Fetch(queues, count, worker, visibility, whole, types);
    }

    /** Returns the tenant that the request names, in a header or by its key, or those in its body; none for all. */
    private static List<String> tenants(RequestFields body, @Nullable String own) throws RejectedException {
        List<String> named = body.texts("tenants");
        if (!body.has("tenants")) return own == null ? List.of() : List.of(own);
        if (named.isEmpty()) throw RequestFields.wrong("tenants", "The 'tenants' field must name at least one tenant.");
        if (named.size() > WantedJobs.MOST)
            throw RequestFields.wrong(
                    "tenants", "The 'tenants' field may name at most %d tenants.".formatted(WantedJobs.MOST));
        for (String tenant : named) {
            if (!TenantId.isTenant(tenant) && !tenant.equals(TenantId.DEFAULT))
                throw RequestFields.wrong("tenants", "'%s' cannot be a tenant.".formatted(Limits.echo(tenant)));
            if (own != null && !tenant.equals(own))
                throw RequestFields.wrong(
                        "tenants",
                        "The request is for the tenant '%s', and 'tenants' names another one.".formatted(own));
        }
        return named;
    }

    private static void inReach(int queues, WantedJobs types) throws RejectedException {
        if (types.tenants().size() * queues > WantedJobs.MOST_TENANTS_AND_QUEUES)
            throw RequestFields.wrong(
                    "tenants",
                    "A fetch may name %d tenants for each of its queues, not %d: at most %d pairs of them."
                            .formatted(
                                    WantedJobs.MOST_TENANTS_AND_QUEUES / queues,
                                    types.tenants().size(),
                                    WantedJobs.MOST_TENANTS_AND_QUEUES));
    }

    private static WantedJobs types(RequestFields body) throws RejectedException {
        List<String> wanted = types(body, "types");
        List<String> others = types(body, "exclude_types");
        if (!body.has("types")) return WantedJobs.allBut(others);
        if (body.has("exclude_types"))
            throw RequestFields.wrong("exclude_types", "Either 'types' or 'exclude_types' can be given.");
        if (wanted.isEmpty()) throw RequestFields.wrong("types", "The 'types' field must name at least one type.");
        return WantedJobs.only(wanted);
    }

    private static List<String> types(RequestFields body, String field) throws RejectedException {
        List<String> types = body.texts(field);
        if (types.size() > WantedJobs.MOST)
            throw RequestFields.wrong(
                    field, "The '%s' field may name at most %d types.".formatted(field, WantedJobs.MOST));
        for (String type : types)
            if (!EnvelopeReader.isType(type))
                throw RequestFields.wrong(field, "'%s' cannot be the type of a job.".formatted(Limits.echo(type)));
        return types;
    }

    private static List<String> queues(RequestFields body) throws RejectedException {
        List<String> named = body.texts("queues");
        if (named.isEmpty()) throw RequestFields.wrong("queues", "The 'queues' field must name at least one queue.");
        if (named.size() > Limits.QUEUES_OF_A_FETCH)
            throw RequestFields.wrong(
                    "queues", "The 'queues' field may name at most %d queues.".formatted(Limits.QUEUES_OF_A_FETCH));
        SequencedSet<String> queues = new LinkedHashSet<>(named);
        long bytes = 0;
        for (String queue : queues) {
            if (!EnvelopeReader.isQueueName(queue))
                throw new RejectedException(Rejection.of(
                                ErrorCode.INVALID_QUEUE,
                                "'%s' cannot be the name of a queue.".formatted(Limits.echo(queue)))
                        .with("field", "queues"));
            // Such names are of ASCII.
            bytes += queue.length();
        }
        if (bytes > Limits.QUEUE_BYTES_OF_A_FETCH)
            throw RequestFields.wrong(
                    "queues",
                    "The names in 'queues' may have %d bytes in all.".formatted(Limits.QUEUE_BYTES_OF_A_FETCH));
        return List.copyOf(queues);
    }
}
