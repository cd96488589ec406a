package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.queue.TenantLimits;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.queue.TenantResource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The decision of an operator about a tenant (OJS multi-tenancy §8.1 and §9.3): limits bare, or inside of {@code
 * limits}.
 *
 * @param depth null takes back what was decided about this tenant
 * @param queues in which it holds; none for all that there are
 * @param overAll its bounds over all queues, of those that are decided; 0 deletes one
 */
record TenantBody(
        boolean decidesDepth, @Nullable Long depth, Set<String> queues, SortedMap<TenantResource, Long> overAll) {
    static final int MAX_BYTES = 64 * 1024;

    /** Most queues of a decision, each of which is asked. */
    static final int MOST_QUEUES = 1_000;

    private static final String LIMITS = "limits";
    private static final String QUEUES = "queues";
    private static final String ID = "tenant_id";
    private static final String REASON = "reason";
    private static final Set<String> KNOWN = Set.of(LIMITS, QUEUES, ID, REASON);

    static TenantBody read(String tenant, RequestFields body) throws RejectedException {
        String named = body.text(ID);
        if (named != null && !named.equals(tenant))
            throw RequestFields.wrong(ID, "The 'tenant_id' field must be the tenant, as it stands in the path.");
        body.text(REASON, Limits.NAME_CHARS);
        boolean areInside = body.names().contains(LIMITS);
        RequestFields limits = areInside ? body.object(LIMITS) : body;
        if (areInside)
            for (String name : body.names())
                if (!KNOWN.contains(name)) throw TenantLimits.foreign(body.path(name), name);
        boolean decidesDepth = limits.names().contains(TenantLimits.DEPTH);
        SortedMap<TenantResource, Long> overAll = TenantLimits.overAll(limits);
        for (String name : limits.names()) {
            if (name.equals(TenantLimits.DEPTH) || TenantLimits.isOverAll(name)) continue;
            if (areInside || !KNOWN.contains(name)) throw TenantLimits.foreign(limits.path(name), name);
        }
        if (!decidesDepth && overAll.isEmpty())
            throw RequestFields.wrong(
                    TenantResource.JOBS.limit(),
                    "Nothing is decided: '%s' is the number of unfinished jobs that the tenant may have over all queues, '%s' of those that run, '%s' of those in a queue; 0 for any, null for no decision."
                            .formatted(
                                    TenantResource.JOBS.limit(), TenantResource.RUNNING.limit(), TenantLimits.DEPTH));
        if (!decidesDepth && body.names().contains(QUEUES))
            throw RequestFields.wrong(
                    QUEUES,
                    "'%s' holds over all queues: name queues for '%s' only."
                            .formatted(overAll.firstKey().limit(), TenantLimits.DEPTH));
        return new TenantBody(decidesDepth, TenantLimits.depth(limits), queues(body), overAll);
    }

    private static Set<String> queues(RequestFields body) throws RejectedException {
        List<String> names = body.texts(QUEUES);
        if (names.size() > MOST_QUEUES)
            throw RequestFields.wrong(QUEUES, "'queues' may have at most %d names.".formatted(MOST_QUEUES));
        for (String name : names)
            if (!EnvelopeReader.isQueueName(name))
                throw RequestFields.wrong(QUEUES, "'%s' cannot be the name of a queue.".formatted(Limits.echo(name)));
        return new LinkedHashSet<>(names);
    }
}
