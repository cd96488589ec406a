package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.queue.TenantLimits;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.job.EnvelopeReader;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision of an operator about a tenant (OJS multi-tenancy §8.1 and §9.3): limits bare, or inside of {@code
 * limits}.
 *
 * @param depth null takes back what was decided about this tenant
 * @param queues in which it holds; none for all that there are
 */
record TenantBody(@Nullable Long depth, Set<String> queues) {
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
        boolean decides = false;
        for (String name : limits.names()) {
            if (name.equals(TenantLimits.DEPTH)) decides = true;
            else if (areInside || !KNOWN.contains(name)) throw TenantLimits.foreign(limits.path(name), name);
        }
        if (!decides)
            throw RequestFields.wrong(
                    TenantLimits.DEPTH,
                    "Nothing is decided: '%s' is the number of unfinished jobs that the tenant may have in a queue, 0 for any, null for no decision."
                            .formatted(TenantLimits.DEPTH));
        return new TenantBody(TenantLimits.depth(limits), queues(body));
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
