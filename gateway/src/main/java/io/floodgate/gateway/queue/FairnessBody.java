package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantFairness;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Whether the tenants of a queue take turns, as an operator says it: {@code true}, {@code false}, or with weights. */
final class FairnessBody {
    private static final String WEIGHTS = "weights";

    private FairnessBody() {}

    static TenantFairness read(String name, RequestFields fields) throws RejectedException {
        JsonNode value = fields.tree(name);
        if (value != null && value.isBoolean()) return value.booleanValue() ? TenantFairness.ON : TenantFairness.OFF;
        if (value == null || !value.isObject())
            throw fields.fault(name, "The '%s' field must be true, false, or an object with weights.");
        RequestFields inside = fields.object(name);
        for (String one : inside.names())
            if (!one.equals(WEIGHTS)) throw inside.fault(one, "There is no field '%s' in a queue's configuration.");
        JsonNode weights = value.get(WEIGHTS);
        if (weights == null || weights.isNull()) return TenantFairness.ON;
        if (!weights.isObject()) throw inside.fault(WEIGHTS, "The '%s' field must be an object.");
        return TenantFairness.of(weights(weights, inside));
    }

    private static Map<String, Long> weights(JsonNode given, RequestFields fields) throws RejectedException {
        if (given.size() > TenantBounds.MOST) throw fields.fault(WEIGHTS, "The '%s' field has more than 100 tenants.");
        Map<String, Long> weights = new TreeMap<>();
        for (String tenant : given.propertyNames()) {
            if (!TenantBounds.isName(tenant))
                throw fields.fault(WEIGHTS, "The '%s' field has a name that no tenant can have.");
            weights.put(tenant, weight(given.get(tenant), fields));
        }
        return weights;
    }

    private static long weight(@Nullable JsonNode weight, RequestFields fields) throws RejectedException {
        if (weight != null
                && weight.isIntegralNumber()
                && weight.canConvertToLong()
                && TenantFairness.isWeight(weight.longValue())) return weight.longValue();
        throw fields.fault(WEIGHTS, "The '%s' field must have integers from 1 to 100.");
    }
}
