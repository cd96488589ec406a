package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.TenantBounds;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The limits of tenants in a queue, as OJS backpressure §9.2 shows them. A tenant that is not named keeps its limit,
 * and a limit of null is taken back.
 *
 * @param unset the tenants whose limits are taken back
 */
public record TenantLimits(TenantBounds set, Set<String> unset) {
    public static final String DEPTH = "max_queue_depth";

    /** Limits of OJS multi-tenancy that this version does not have. */
    private static final Set<String> MISSING =
            Set.of("max_concurrency", "max_enqueue_rate", "max_scheduled", "fairness_weight", "priority_boost");

    static TenantLimits read(RequestFields fields, String name) throws RejectedException {
        String path = fields.path(name);
        JsonNode list = fields.tree(name);
        if (list == null || !list.isArray())
            throw RequestFields.wrong(path, "The '%s' field must be a list of tenants.".formatted(path));
        Map<String, Long> depths = new TreeMap<>();
        Set<String> unset = new TreeSet<>();
        for (int i = 0; i < list.size(); i++) {
            String at = "%s[%d]".formatted(path, i);
            String tenant = tenant(list.get(i), at);
            if (depths.containsKey(tenant) || unset.contains(tenant))
                throw RequestFields.wrong(at, "The tenant '%s' is named twice.".formatted(tenant));
            Long depth = ofLimits(list.get(i).get("limits"), at + ".limits");
            if (depth == null) unset.add(tenant);
            else depths.put(tenant, depth);
        }
        return new TenantLimits(new TenantBounds(depths), unset);
    }

    private static String tenant(JsonNode one, String at) throws RejectedException {
        onlyHas(one, Set.of("tenant_id", "limits"), at);
        JsonNode id = one.get("tenant_id");
        String tenant = id != null && id.isString() ? id.stringValue() : "";
        if (!TenantBounds.isName(tenant))
            throw RequestFields.wrong(
                    at + ".tenant_id",
                    "'%s.tenant_id' must be a tenant, or '%s' for every other one.".formatted(at, TenantBounds.OTHERS));
        return tenant;
    }

    /** Null for none, which takes it back. */
    private static @Nullable Long ofLimits(@Nullable JsonNode limits, String at) throws RejectedException {
        if (limits == null || limits.isNull()) return null;
        onlyHas(limits, Set.of(DEPTH), at);
        return depth(limits.get(DEPTH), at + "." + DEPTH);
    }

    /** Null for none. */
    public static @Nullable Long depth(@Nullable JsonNode depth, String at) throws RejectedException {
        if (depth == null || depth.isNull()) return null;
        if (!depth.isIntegralNumber() || !depth.canConvertToLong() || depth.longValue() < 0)
            throw RequestFields.wrong(
                    at, "'%s' must be an integer that is not negative; 0 is for no bound.".formatted(at));
        return depth.longValue();
    }

    private static void onlyHas(JsonNode object, Set<String> names, String at) throws RejectedException {
        if (!object.isObject()) throw RequestFields.wrong(at, "'%s' must be an object.".formatted(at));
        for (String name : object.propertyNames()) if (!names.contains(name)) throw foreign(at + "." + name, name);
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
        out.name("tenants").beginArray();
        tenants.depths()
                .forEach((tenant, depth) -> out.beginObject()
                        .field("tenant_id", tenant)
                        .name("limits")
                        .beginObject()
                        .field(DEPTH, depth)
                        .endObject()
                        .endObject());
        out.endArray();
    }
}
