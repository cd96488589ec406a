package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantFairness;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The decision of an operator whether the tenants of a queue take turns: {@code true}, {@code false}, or with weights,
 * also in the form of OJS fair scheduling §9.2.
 */
final class FairnessBody {
    private static final String WEIGHTS = "weights";
    private static final String ENABLED = "enabled";
    private static final String STRATEGY = "strategy";
    private static final String DEFAULT_WEIGHT = "default_weight";

    private FairnessBody() {}

    static TenantFairness read(String name, RequestFields fields) throws RejectedException {
        JsonNode value = fields.tree(name);
        if (value != null && value.isBoolean()) return value.booleanValue() ? TenantFairness.ON : TenantFairness.OFF;
        if (value == null || !value.isObject())
            throw fields.fault(name, "The '%s' field must be true, false, or an object with weights.");
        RequestFields inside = fields.object(name).only(List.of(WEIGHTS, ENABLED, STRATEGY, DEFAULT_WEIGHT));
        if (inside.has(STRATEGY) && !"fair-share".equals(inside.text(STRATEGY)))
            throw inside.fault(STRATEGY, "The '%s' field must be fair-share.");
        Map<String, Long> weights = weights(value.get(WEIGHTS), inside);
        if (inside.has(DEFAULT_WEIGHT))
            weights.putIfAbsent(TenantBounds.OTHERS, weight(DEFAULT_WEIGHT, value.get(DEFAULT_WEIGHT), inside));
        return inside.has(ENABLED) && !inside.flag(ENABLED) ? TenantFairness.OFF : TenantFairness.of(weights);
    }

    private static Map<String, Long> weights(@Nullable JsonNode given, RequestFields fields) throws RejectedException {
        if (given == null || given.isNull()) return new TreeMap<>();
        if (!given.isObject()) throw fields.fault(WEIGHTS, "The '%s' field must be an object.");
        if (given.size() > TenantBounds.MOST) throw fields.fault(WEIGHTS, "The '%s' field has more than 100 tenants.");
        Map<String, Long> weights = new TreeMap<>();
        for (String tenant : given.propertyNames()) {
            if (!TenantBounds.isName(tenant))
                throw fields.fault(WEIGHTS, "The '%s' field has a name that no tenant can have.");
            weights.put(tenant, weight(WEIGHTS, given.get(tenant), fields));
        }
        return weights;
    }

    private static long weight(String name, @Nullable JsonNode weight, RequestFields fields) throws RejectedException {
        if (weight != null
                && weight.isIntegralNumber()
                && weight.canConvertToLong()
                && TenantFairness.isWeight(weight.longValue())) return weight.longValue();
        throw fields.fault(name, "The '%s' field must have integers from 1 to 100.");
    }
}
