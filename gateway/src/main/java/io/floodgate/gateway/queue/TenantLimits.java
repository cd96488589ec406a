package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantResource;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The limits of tenants in a queue, as OJS backpressure §9.2 shows them. A tenant that is not named keeps its limit,
 * and a limit of null is taken back.
 *
 * @param unset the tenants whose limits are taken back
 */
public record TenantLimits(TenantBounds set, Set<String> unset) {
    public static final String DEPTH = "max_queue_depth";

    private static final String TENANT = "tenant_id";

    /** Limits of OJS multi-tenancy that this version does not have; concurrency is bounded over all queues only. */
    private static final Set<String> MISSING =
            Set.of("max_concurrency", "max_enqueue_rate", "max_scheduled", "fairness_weight", "priority_boost");

    static TenantLimits read(RequestFields fields, String name) throws RejectedException {
        Map<String, Long> depths = new TreeMap<>();
        Set<String> unset = new TreeSet<>();
        for (RequestFields one : fields.objects(name)) {
            onlyHas(one, Set.of(TENANT, "limits"));
            String tenant = Objects.requireNonNullElse(one.text(TENANT), "");
            if (!TenantBounds.isName(tenant))
                throw one.fault(TENANT, "'%s' must be a tenant, or '" + TenantBounds.OTHERS + "' for every other one.");
            if (depths.containsKey(tenant) || unset.contains(tenant))
                throw one.fault("", "The tenant in '%s' is named twice.");
            Long depth = one.has("limits") ? depth(onlyHas(one.object("limits"), Set.of(DEPTH))) : null;
            if (depth == null) unset.add(tenant);
            else depths.put(tenant, depth);
        }
        return new TenantLimits(new TenantBounds(depths), unset);
    }

    /** Null for none, which takes it back. */
    public static @Nullable Long depth(RequestFields limits) throws RejectedException {
        Long depth = limits.number(DEPTH).orElse(null);
        if (depth != null && depth < 0) throw limits.fault(DEPTH, "'%s' must not be negative; 0 is for no bound.");
        return depth;
    }

    /** The bounds over all queues that are decided, which no queue has: 0 for none. */
    public static SortedMap<TenantResource, Long> overAll(RequestFields limits) throws RejectedException {
        SortedMap<TenantResource, Long> decided = new TreeMap<>();
        for (TenantResource resource : TenantResource.values()) {
            if (!limits.names().contains(resource.limit())) continue;
            long bound = limits.number(resource.limit()).orElse(0L);
            if (bound < 0) throw limits.fault(resource.limit(), "'%s' must not be negative; 0 is for no bound.");
            decided.put(resource, bound);
        }
        return decided;
    }

    public static boolean isOverAll(String name) {
        for (TenantResource resource : TenantResource.values())
            if (resource.limit().equals(name)) return true;
        return false;
    }

    private static RequestFields onlyHas(RequestFields object, Set<String> names) throws RejectedException {
        for (String name : object.names()) if (!names.contains(name)) throw foreign(object.path(name), name);
        return object;
    }

    /** Returns the rejection of a field that cannot be decided about a tenant, or not yet. */
    public static RejectedException foreign(String at, String name) {
        String field = Limits.echo(at);
        if (!MISSING.contains(name))
            return RequestFields.wrong(field, "There is no field '%s' in a tenant's limits.".formatted(field));
        return new RejectedException(
                Rejection.of(ErrorCode.UNSUPPORTED, "'%s' of a tenant cannot be decided yet.".formatted(field))
                        .with("field", field));
    }

    static void write(TenantBounds tenants, JsonOut out) {
        if (tenants.isNone()) return;
        out.beginArray("tenants");
        tenants.depths()
                .forEach((tenant, depth) -> out.beginObject()
                        .field(TENANT, tenant)
                        .beginObject("limits")
                        .field(DEPTH, depth)
                        .endObject()
                        .endObject());
        out.endArray();
    }
}
