package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.UnreadableLimit;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.EnqueueThrough;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantFairness;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.UnreadableRetry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A queue's configuration to and from JSON, as it stands in commands, answers, events and stores: what is decided, and no more. */
public final class QueueConfigCodec {
    private static final String DISCARD = "discard";
    private static final String WEIGHTS = "weights";

    private QueueConfigCodec() {}

    /** The members of an object. */
    public static void write(QueueConfig config, JsonOut out) {
        writeBounds(config, out);
        QueuePolicy policy = config.policy();
        if (policy.isNone()) return;
        write(policy.jobs(), out);
        write(policy.keeping(), out);
        DeadLettering dead = policy.deadLetters();
        out.optional("dead_letter_queue", dead.queue())
                .optional("dead_letter_max_size", dead.maxSize())
                .optional("dead_letter_ttl_ms", millis(dead.ttl()));
        List<String> types = policy.access().jobTypes();
        if (types != null) out.field("allowed_job_types", types);
        List<String> producers = policy.access().producers();
        if (producers != null) out.field("producers", producers);
        write(policy.fairness(), out);
    }

    /** Whether tenants take turns, as it is shown and stored: a flag, or an object with their weights. */
    public static void write(@Nullable TenantFairness fairness, JsonOut out) {
        if (fairness == null) return;
        if (fairness.weights().isEmpty()) {
            out.field(TenantFairness.NAME, fairness.isOn());
            return;
        }
        out.name(TenantFairness.NAME).beginObject().name(WEIGHTS).beginObject();
        fairness.weights().forEach(out::field);
        out.endObject().endObject();
    }

    /** What a gateway needs to know of every queue. */
    public static void writeBounds(QueueConfig config, JsonOut out) {
        Overflow strategy = config.strategy();
        Double threshold = config.warningThreshold();
        out.optional("max_depth", config.maxDepth())
                .optional("max_size_bytes", config.maxSizeBytes())
                .optional("strategy", strategy == null ? null : strategy.wire());
        if (threshold != null) out.field("warning_threshold", threshold);
        EnqueueThrough through = config.through();
        if (through != null) out.field("enqueue_through", through.wire());
        if (!config.tenants().isNone()) {
            out.name("tenants").beginObject();
            config.tenants().depths().forEach(out::field);
            out.endObject();
        }
        if (!config.limits().isUnlimited()) {
            out.name("limits").beginObject();
            config.limits().write(out);
            out.endObject();
        }
    }

    private static void write(JobDefaults jobs, JsonOut out) {
        out.optional("default_timeout_ms", millis(jobs.timeout()))
                .optional("visibility_timeout_ms", millis(jobs.visibility()));
        if (!jobs.retry().isNone()) {
            out.name("default_retry");
            jobs.retry().write(out);
        }
        Boolean discard = jobs.discardOnWorkerLost();
        if (discard != null) out.field("on_worker_lost", discard ? DISCARD : "retry");
    }

    private static void write(Keeping keeping, JsonOut out) {
        if (keeping.completed() != null || keeping.discarded() != null || keeping.cancelled() != null)
            out.name("retention_ms")
                    .beginObject()
                    .optional("completed", millis(keeping.completed()))
                    .optional("discarded", millis(keeping.discarded()))
                    .optional("cancelled", millis(keeping.cancelled()))
                    .endObject();
        if (keeping.completedCount() != null || keeping.discardedCount() != null || keeping.cancelledCount() != null)
            out.name("retention_count")
                    .beginObject()
                    .optional("completed", keeping.completedCount())
                    .optional("discarded", keeping.discardedCount())
                    .optional("cancelled", keeping.cancelledCount())
                    .endObject();
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : (Long) duration.toMillis();
    }

    /** Of what {@link #write} made, with braces around it. */
    public static QueueConfig read(byte[] json) throws UnreadableCommand {
        try {
            return read(JsonFields.of(json));
        } catch (MalformedJson malformed) {
            throw new UnreadableCommand(String.valueOf(malformed.getMessage()));
        }
    }

    static QueueConfig read(JsonFields in) throws UnreadableCommand, MalformedJson {
        String strategy = in.optionalText("strategy");
        if (strategy != null && Overflow.parse(strategy).isEmpty())
            throw new UnreadableCommand("There is no strategy '%s'.".formatted(Limits.echo(strategy)));
        return new QueueConfig(
                in.optionalNatural("max_depth"),
                in.optionalNatural("max_size_bytes"),
                strategy == null ? null : Overflow.parse(strategy).orElseThrow(),
                in.optionalShare("warning_threshold"),
                new TenantBounds(in.naturals("tenants")),
                limits(in),
                policy(in),
                through(in));
    }

    private static @Nullable EnqueueThrough through(JsonFields in) throws UnreadableCommand {
        String text = in.optionalText("enqueue_through");
        if (text == null) return null;
        return EnqueueThrough.parse(text)
                .orElseThrow(() -> new UnreadableCommand("'enqueue_through' must be queue-topic or commands."));
    }

    private static Allowance limits(JsonFields in) throws UnreadableCommand {
        JsonNode limits = in.node("limits");
        if (limits == null) return Allowance.UNLIMITED;
        try {
            return LimitReader.allowance(limits, "limits", Set.of());
        } catch (UnreadableLimit unreadable) {
            throw new UnreadableCommand(unreadable.reason());
        }
    }

    private static QueuePolicy policy(JsonFields in) throws UnreadableCommand, MalformedJson {
        QueuePolicy policy = new QueuePolicy(
                new JobDefaults(
                        in.optionalMillis("default_timeout_ms"),
                        in.optionalMillis("visibility_timeout_ms"),
                        retry(in),
                        discardOnWorkerLost(in)),
                keeping(in),
                new DeadLettering(
                        in.optionalText("dead_letter_queue"),
                        in.optionalNatural("dead_letter_max_size"),
                        in.optionalMillis("dead_letter_ttl_ms")),
                new Access(in.optionalTexts("allowed_job_types"), in.optionalTexts("producers")),
                fairness(in));
        return policy.isNone() ? QueuePolicy.NONE : policy;
    }

    private static @Nullable TenantFairness fairness(JsonFields in) throws UnreadableCommand, MalformedJson {
        JsonNode node = in.node(TenantFairness.NAME);
        if (node == null) return null;
        if (node.isBoolean()) return node.booleanValue() ? TenantFairness.ON : TenantFairness.OFF;
        return TenantFairness.of(in.fields(TenantFairness.NAME).naturals(WEIGHTS));
    }

    private static RetryOptions retry(JsonFields in) throws UnreadableCommand, MalformedJson {
        try {
            return in.node("default_retry") == null
                    ? RetryOptions.NONE
                    : RetryOptions.read(in.members("default_retry"));
        } catch (UnreadableRetry unreadable) {
            throw new UnreadableCommand(unreadable.reason());
        }
    }

    private static @Nullable Boolean discardOnWorkerLost(JsonFields in) throws UnreadableCommand {
        String text = in.optionalText("on_worker_lost");
        if (text == null) return null;
        if (!text.equals(DISCARD) && !text.equals("retry"))
            throw new UnreadableCommand("'on_worker_lost' must be retry or discard.");
        return text.equals(DISCARD);
    }

    private static Keeping keeping(JsonFields in) throws UnreadableCommand, MalformedJson {
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
