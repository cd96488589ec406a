package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantFairness;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
        Map<String, Long> weights = new TreeMap<>();
        if (inside.has(WEIGHTS)) {
            RequestFields sent = inside.object(WEIGHTS);
            for (String tenant : sent.names())
                weights.put(tenant, sent.number(tenant).orElse(0L));
        }
        Long others = inside.number(DEFAULT_WEIGHT).orElse(null);
        if (others != null) weights.putIfAbsent(TenantBounds.OTHERS, others);
        return inside.has(ENABLED) && !inside.flag(ENABLED) ? TenantFairness.OFF : TenantFairness.of(weights);
    }
}
