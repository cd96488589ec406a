package io.floodgate.processor.queue;

import io.floodgate.processor.limit.StoredLimits;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How a queue's configuration is stored: in a blob, to which later releases can add. */
final class StoredConfig {
    private StoredConfig() {}

    static void write(QueueConfig config, BinaryOut out) {
        Overflow strategy = config.strategy();
        Double threshold = config.warningThreshold();
        BinaryOut inner = new BinaryOut()
                .optional(config.maxDepth())
                .optional(config.maxSizeBytes())
                .optional(strategy == null ? null : strategy.wire())
                .flag(threshold != null);
        if (threshold != null) inner.real(threshold);
        boolean hasLimits = !config.limits().isUnlimited();
        if (!config.tenants().isNone() || hasLimits) write(config.tenants(), inner);
        if (hasLimits) StoredLimits.write(config.limits(), inner);
        out.blob(inner.toBytes());
    }

    private static void write(TenantBounds tenants, BinaryOut out) {
        out.number(tenants.depths().size());
        tenants.depths().forEach((tenant, depth) -> out.text(tenant).number(depth));
    }

    private static TenantBounds tenants(BinaryIn in) {
        Map<String, Long> depths = new TreeMap<>();
        for (int left = in.integer(); left > 0; left--) depths.put(in.text(), in.number());
        return new TenantBounds(depths);
    }

    static QueueConfig read(BinaryIn in) {
        BinaryIn inner = new BinaryIn(in.blob());
        return new QueueConfig(
                inner.optionalNumber(),
                inner.optionalNumber(),
                strategy(inner.optionalText()),
                inner.flag() ? (Double) inner.real() : null,
                inner.hasMore() ? tenants(inner) : TenantBounds.NONE,
                inner.hasMore() ? StoredLimits.read(inner) : Allowance.UNLIMITED);
    }

    private static @Nullable Overflow strategy(@Nullable String wire) {
        return wire == null ? null : Overflow.parse(wire).orElseThrow();
    }
}
