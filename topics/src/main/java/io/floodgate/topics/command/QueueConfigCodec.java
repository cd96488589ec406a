package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantFairness;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A queue's configuration to and from JSON, as it stands in commands, answers, events and stores: what is decided, and no more. */
public final class QueueConfigCodec {
    private static final String WEIGHTS = "weights";

    private QueueConfigCodec() {}

    /** The members of an object. */
    public static void write(QueueConfig config, JsonOut out) {
        RecordForm.of(QueueConfig.class).write(config, out);
    }

    /** What a gateway needs to know of every queue. */
    public static void writeBounds(QueueConfig config, JsonOut out) {
        write(config.with(QueuePolicy.NONE), out);
    }

    /** Of what {@link #write} made, with braces around it. */
    public static QueueConfig read(byte[] json) throws UnreadableCommand {
        try {
            return RecordForm.of(QueueConfig.class).fromBytes(json);
        } catch (MalformedJson malformed) {
            throw new UnreadableCommand(String.valueOf(malformed.getMessage()));
        }
    }

    /** Returns the configuration, or throws for one that a partition would reject. */
    public static QueueConfig checked(QueueConfig config) throws UnreadableCommand {
        RecordForm.of(QueueConfig.class).check(config);
        ConfigLimits.check(config);
        return config;
    }

    /** Whether tenants take turns, as it is shown and stored: a flag, or an object with their weights. */
    public static void write(@Nullable TenantFairness fairness, JsonOut out) {
        if (fairness != null) write(out, TenantFairness.NAME, fairness);
    }

    static void write(JsonOut out, String name, TenantFairness fairness) {
        if (fairness.weights().isEmpty()) {
            out.field(name, fairness.isOn());
            return;
        }
        MemberForms.write(out.beginObject(name), WEIGHTS, fairness.weights());
        out.endObject();
    }

    static TenantFairness fairness(JsonFields in, String name) throws UnreadableCommand, MalformedJson {
        JsonNode node = in.node(name);
        if (node == null || !node.isBoolean())
            return TenantFairness.of(in.fields(name).naturals(WEIGHTS));
        return node.booleanValue() ? TenantFairness.ON : TenantFairness.OFF;
    }

    static void write(Keeping keeping, JsonOut out) {
        if (keeping.completed() != null || keeping.discarded() != null || keeping.cancelled() != null)
            out.beginObject("retention_ms")
                    .optional("completed", millis(keeping.completed()))
                    .optional("discarded", millis(keeping.discarded()))
                    .optional("cancelled", millis(keeping.cancelled()))
                    .endObject();
        if (keeping.completedCount() != null || keeping.discardedCount() != null || keeping.cancelledCount() != null)
            out.beginObject("retention_count")
                    .optional("completed", keeping.completedCount())
                    .optional("discarded", keeping.discardedCount())
                    .optional("cancelled", keeping.cancelledCount())
                    .endObject();
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : (Long) duration.toMillis();
    }

    static Keeping keeping(JsonFields in) throws UnreadableCommand, MalformedJson {
        JsonFields times = in.optionalFields("retention_ms");
        JsonFields counts = in.optionalFields("retention_count");
        return new Keeping(
                times.optionalMillis("completed"),
                times.optionalMillis("discarded"),
                times.optionalMillis("cancelled"),
                counts.optionalNatural("completed"),
                counts.optionalNatural("discarded"),
                counts.optionalNatural("cancelled"));
    }
}
