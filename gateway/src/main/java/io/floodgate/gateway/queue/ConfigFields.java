package io.floodgate.gateway.queue;

import static java.util.Map.entry;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.QueueConfigCodec;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.UnreadableLimit;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.SchemaMode;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantFairness;
import io.floodgate.topics.retry.RetryOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The fields of a queue's configuration by their names: of OJS backpressure, of the site's page about it, and of OJS queue
 * configuration §6.2 to §6.5. The form of {@link QueueConfig} reads and checks their values, as it does in commands.
 */
final class ConfigFields {
    sealed interface Field permits Setting, Group {}

    /** @param key the setting as commands name it */
    record Setting(String key, Reading reading) implements Field {
        /** Reads a configuration of this setting alone. The field is there, and not null. */
        QueueConfig read(RequestFields fields, String name, Set<String> unset) throws RejectedException {
            try {
                return QueueConfigCodec.checked(reading.read(fields, name, unset));
            } catch (UnreadableCommand unreadable) {
                String member = "'" + key.substring(key.indexOf('.') + 1) + "'";
                String field = "'" + fields.path(name) + "'";
                String reason = String.valueOf(unreadable.getMessage()).replace(member, field);
                throw RequestFields.wrong(
                        fields.path(name),
                        reason.contains(field) ? reason : "In the field %s, %s".formatted(field, reason));
            }
        }
    }

    record Group(Map<String, Field> fields) implements Field {
        /** Returns the settings that the value of the group decides itself; none if its fields decide them. */
        List<Setting> whole(RequestFields sent, String name) throws RejectedException {
            boolean isNull = !sent.has(name);
            if (equals(RATE_LIMIT)) return isNull || sent.object(name).has("limit") ? List.of(RATE) : List.of();
            if (equals(RETENTION) && sent.isText(name)) return KEPT;
            return isNull ? all() : List.of();
        }

        /** Bounds of tenants are taken back by their own name alone. */
        private List<Setting> all() {
            List<Setting> all = new ArrayList<>();
            for (Field field : fields.values())
                switch (field) {
                    case Group group -> all.addAll(group.all());
                    case Setting setting when setting.equals(TENANTS) -> {}
                    case Setting setting -> all.add(setting);
                }
            return all;
        }
    }

    private interface Reading {
        QueueConfig read(RequestFields fields, String name, Set<String> unset)
                throws RejectedException, UnreadableCommand;
    }

    /** Writes the value of a field as commands have it. */
    private interface Spelling {
        void write(JsonOut out, String key, RequestFields fields, String name) throws RejectedException;
    }

    private static final Spelling AS_SENT =
            (out, key, fields, name) -> out.fieldRaw(key, Objects.requireNonNull(fields.raw(name)));
    private static final Spelling SECONDS = (out, key, fields, name) ->
            out.field(key, Objects.requireNonNull(fields.length(name)).toMillis());
    private static final Spelling DURATION =
            (out, key, fields, name) -> out.field(key, fields.duration(name).toMillis());

    private static final Spelling SCHEMAS = (out, key, fields, name) -> out.field(
            key,
            SchemaMode.parse(fields.requiredText(name))
                    .orElseThrow(() -> fields.fault(name, "The '%s' field must be 'off', 'warn' or 'reject'."))
                    .wire());

    private static final Setting MAX_DEPTH = setting("max_depth", AS_SENT);
    private static final Setting MAX_SIZE_BYTES = setting("max_size_bytes", AS_SENT);
    private static final Setting STRATEGY = setting(
            "strategy",
            (out, key, fields, name) -> out.field(key, fields.requiredText(name).replace('-', '_')));
    private static final Setting CONCURRENCY =
            new Setting("concurrency", (f, name, u) -> limits(f, name, "concurrency"));
    private static final Setting RATE = new Setting("rate", (f, name, u) -> limits(f, name, "rate"));
    private static final Setting THROTTLE = new Setting("throttle", (f, name, u) -> limits(f, name, "throttle"));
    private static final Setting TENANTS = new Setting("tenants", ConfigFields::tenants);
    private static final Setting TIMEOUT = setting("default_timeout_ms", SECONDS);
    private static final Setting VISIBILITY = setting("visibility_timeout_ms", SECONDS);
    private static final Setting DEAD_LETTER_TTL = setting("dead_letter_ttl_ms", DURATION);
    private static final Setting DEAD_LETTER_MAX_SIZE = setting("dead_letter_max_size", AS_SENT);
    private static final List<Setting> KEPT = List.of(
            setting("retention_ms.completed", DURATION),
            setting("retention_ms.discarded", DURATION),
            setting("retention_ms.cancelled", DURATION));

    private static final Setting ORDER_BY = setting("order_by", AS_SENT);
    private static final Setting ORDER_ON_FAILURE = setting("order_on_failure", AS_SENT);
    private static final Setting ORDER_BLOCK_AT_MOST = setting("order_block_at_most_ms", DURATION);

    private static final Group RETENTION = new Group(Map.of(
            "completed", KEPT.get(0),
            "discarded", KEPT.get(1),
            "cancelled", KEPT.get(2),
            "completed_count", setting("retention_count.completed", AS_SENT),
            "discarded_count", setting("retention_count.discarded", AS_SENT),
            "cancelled_count", setting("retention_count.cancelled", AS_SENT)));

    /** A rate alone, with its limit and period beside each other, or limits of all kinds. */
    static final Group RATE_LIMIT = new Group(Map.of("concurrency", CONCURRENCY, "rate", RATE, "throttle", THROTTLE));

    static final Group QUEUE = new Group(Map.ofEntries(
            entry("max_size", MAX_DEPTH),
            entry("max_size_bytes", MAX_SIZE_BYTES),
            entry("overflow_policy", STRATEGY),
            entry("concurrency", CONCURRENCY),
            entry("throttle", THROTTLE),
            entry("rate_limit", RATE_LIMIT),
            entry("enqueue_through", setting("enqueue_through", AS_SENT)),
            entry("tenants", TENANTS),
            entry(
                    "backpressure",
                    new Group(Map.of(
                            "max_depth", MAX_DEPTH,
                            "max_size_bytes", MAX_SIZE_BYTES,
                            "strategy", STRATEGY,
                            "warning_threshold", setting("warning_threshold", AS_SENT),
                            "tenants", TENANTS))),
            entry(
                    "capacity",
                    new Group(
                            Map.of("max_depth", MAX_DEPTH, "max_size_bytes", MAX_SIZE_BYTES, "on_overflow", STRATEGY))),
            entry("default_timeout", TIMEOUT),
            entry("default_timeout_ms", TIMEOUT),
            entry("visibility_timeout", VISIBILITY),
            entry("visibility_timeout_ms", VISIBILITY),
            entry("default_retry", new Setting("default_retry", ConfigFields::retry)),
            entry("on_worker_lost", setting("on_worker_lost", AS_SENT)),
            entry("retention", RETENTION),
            entry(
                    "dead_letter_queue",
                    setting("dead_letter_queue", (out, key, fields, name) -> out.optional(key, fields.queue(name)))),
            entry("dead_letter_max_size", DEAD_LETTER_MAX_SIZE),
            entry("dead_letter_ttl", DEAD_LETTER_TTL),
            entry(
                    "dead_letter",
                    new Group(Map.of(
                            "retention",
                            new Group(Map.of("max_age", DEAD_LETTER_TTL, "max_count", DEAD_LETTER_MAX_SIZE))))),
            entry("allowed_job_types", setting("allowed_job_types", AS_SENT)),
            entry("producers", setting("producers", AS_SENT)),
            entry(
                    "order",
                    new Group(Map.of(
                            "key", ORDER_BY,
                            "on_failure", ORDER_ON_FAILURE,
                            "block_at_most", ORDER_BLOCK_AT_MOST))),
            entry(SchemaMode.NAME, setting(SchemaMode.NAME, SCHEMAS)),
            entry(TenantFairness.NAME, new Setting(TenantFairness.NAME, ConfigFields::fairness))));

    private ConfigFields() {}

    private static Setting setting(String key, Spelling spelling) {
        int dot = key.indexOf('.');
        return new Setting(key, (fields, name, unset) -> {
            JsonOut out = JsonOut.object();
            if (dot > 0) out.beginObject(key.substring(0, dot));
            spelling.write(out, key.substring(dot + 1), fields, name);
            if (dot > 0) out.endObject();
            return QueueConfigCodec.read(out.endObject().toBytes());
        });
    }

    /** @param as the name of the field in limits of jobs, which are read alike */
    private static QueueConfig limits(RequestFields fields, String name, String as) throws RejectedException {
        String path = fields.path(name);
        JsonNode value = fields.tree(name);
        // A concurrency is a number; a rate and a throttle are objects here, whatever jobs may write.
        if (value != null && !as.equals("concurrency") && !value.isObject())
            throw fields.fault(name, "The '%s' field must be an object with 'limit' and 'period'.");
        try {
            JsonNode limit = Json.MAPPER.createObjectNode().set(as, value);
            Allowance allowance = LimitReader.allowance(limit, "", Set.of());
            return QueueConfig.of(allowance);
        } catch (UnreadableLimit wrong) {
            String field = path
                    + wrong.field()
                            .substring(Math.min(as.length(), wrong.field().length()));
            throw RequestFields.wrong(field, wrong.reason().replace("'" + wrong.field() + "'", "'" + field + "'"));
        }
    }

    private static QueueConfig tenants(RequestFields fields, String name, Set<String> unset) throws RejectedException {
        TenantLimits limits = TenantLimits.read(fields, name);
        for (String tenant : limits.unset()) unset.add(TenantBounds.PREFIX + tenant);
        return QueueConfig.of(limits.set());
    }

    private static QueueConfig retry(RequestFields fields, String name, Set<String> unset) throws RejectedException {
        RequestFields inside = fields.object(name);
        for (String field : inside.names()) {
            String known = RetryOptions.nameOf(field).orElseThrow(() -> inside.unknown(field, RetryOptions.NAMES));
            if (!inside.has(field)) unset.add(name + "." + known);
        }
        return QueueConfig.of(QueuePolicy.NONE.with(new JobDefaults(null, null, fields.retry(name), null)));
    }

    private static QueueConfig fairness(RequestFields fields, String name, Set<String> unset) throws RejectedException {
        return QueueConfig.of(QueuePolicy.NONE.with(FairnessBody.read(name, fields)));
    }
}
