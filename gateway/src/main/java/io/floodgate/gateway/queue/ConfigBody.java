package io.floodgate.gateway.queue;

import static io.floodgate.gateway.queue.Setting.CONCURRENCY;
import static io.floodgate.gateway.queue.Setting.ENQUEUE_THROUGH;
import static io.floodgate.gateway.queue.Setting.MAX_DEPTH;
import static io.floodgate.gateway.queue.Setting.MAX_SIZE_BYTES;
import static io.floodgate.gateway.queue.Setting.RATE;
import static io.floodgate.gateway.queue.Setting.STRATEGY;
import static io.floodgate.gateway.queue.Setting.THROTTLE;
import static io.floodgate.gateway.queue.Setting.WARNING_THRESHOLD;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The decision of an operator about a queue, in any of three vocabularies: of OJS backpressure, of the site's page
 * about it, and of OJS queue configuration; bare, or inside of what answers have it in. An absent field stays, and null
 * resets it.
 */
public final class ConfigBody {
    public static final int MAX_BYTES = 64 * 1024;

    private static final Map<String, Setting> BACKPRESSURE = Map.of(
            "max_depth", MAX_DEPTH,
            "max_size_bytes", MAX_SIZE_BYTES,
            "strategy", STRATEGY,
            "warning_threshold", WARNING_THRESHOLD);
    private static final Map<String, Setting> CAPACITY =
            Map.of("max_depth", MAX_DEPTH, "max_size_bytes", MAX_SIZE_BYTES, "on_overflow", STRATEGY);
    private static final Map<String, Setting> QUEUE = Map.of(
            "max_size",
            MAX_DEPTH,
            "max_size_bytes",
            MAX_SIZE_BYTES,
            "overflow_policy",
            STRATEGY,
            "concurrency",
            CONCURRENCY,
            "throttle",
            THROTTLE,
            "enqueue_through",
            ENQUEUE_THROUGH);
    private static final Map<String, Setting> LIMITS =
            Map.of("concurrency", CONCURRENCY, "rate", RATE, "throttle", THROTTLE);

    private static final Map<String, Map<String, Setting>> GROUPS =
            Map.of("backpressure", BACKPRESSURE, "capacity", CAPACITY);
    private static final Set<String> WRAPPERS = Set.of("config", "configuration", "queue");
    /** A setting that the body has, with the path of its field; a null value resets it. */
    private record Said(String field, QueueConfig value) {}

    private static final String TENANTS = "tenants";
    private static final String RATE_LIMIT = "rate_limit";

    private final String queue;
    private final Map<Setting, Said> said = new EnumMap<>(Setting.class);
    private final Set<String> unset = new HashSet<>();
    private final PolicyBody policy = new PolicyBody();
    private TenantBounds tenants = TenantBounds.NONE;
    private @Nullable String tenantsField;

    private ConfigBody(String queue) {
        this.queue = queue;
    }

    static ConfigureQueue read(String queue, RequestFields body) throws RejectedException {
        ConfigBody read = new ConfigBody(queue);
        read.take(body);
        return read.command();
    }

    /** The limits of a queue alone. */
    static ConfigureQueue readLimits(String queue, RequestFields body) throws RejectedException {
        ConfigBody read = new ConfigBody(queue);
        read.takeLimits(body);
        return read.command();
    }

    private void takeLimits(RequestFields fields) throws RejectedException {
        for (String name : fields.names()) take(name, LIMITS, fields);
    }

    /** A rate alone, with its limit and period beside each other, or limits of all kinds. */
    private void takeRateLimit(RequestFields fields) throws RejectedException {
        if (!fields.has(RATE_LIMIT)) {
            say(RATE, fields.path(RATE_LIMIT), QueueConfig.NONE);
            return;
        }
        RequestFields inside = fields.object(RATE_LIMIT);
        if (inside.has("limit")) say(RATE, fields.path(RATE_LIMIT), RATE.read(fields, RATE_LIMIT));
        else takeLimits(inside);
    }

    private void take(RequestFields fields) throws RejectedException {
        for (String name : fields.names()) {
            if (name.equals("name")) checkName(fields);
            else if (name.equals(TENANTS)) takeTenants(fields);
            else if (name.equals(RATE_LIMIT)) takeRateLimit(fields);
            else if (WRAPPERS.contains(name)) take(fields.object(name));
            else if (GROUPS.containsKey(name)) takeGroup(name, fields);
            else if (!policy.take(name, fields)) take(name, QUEUE, fields);
        }
    }

    private void checkName(RequestFields fields) throws RejectedException {
        if (!queue.equals(fields.text("name")))
            throw fields.fault("name", "The '%s' field must be the queue's name, as it stands in the path.");
    }

    private void takeGroup(String group, RequestFields fields) throws RejectedException {
        Map<String, Setting> vocabulary = GROUPS.getOrDefault(group, Map.of());
        if (fields.has(group)) {
            RequestFields inside = fields.object(group);
            for (String name : inside.names()) {
                if (name.equals(TENANTS) && group.equals("backpressure")) takeTenants(inside);
                else take(name, vocabulary, inside);
            }
        } else {
            for (Setting setting : Setting.values())
                if (vocabulary.containsValue(setting)) say(setting, fields.path(group), QueueConfig.NONE);
        }
    }

    private void takeTenants(RequestFields fields) throws RejectedException {
        String field = fields.path(TENANTS);
        if (tenantsField != null)
            throw RequestFields.wrong(field, "'%s' and '%s' are the same.".formatted(tenantsField, field));
        tenantsField = field;
        if (!fields.has(TENANTS)) {
            unset.add(TENANTS);
            return;
        }
        TenantLimits limits = TenantLimits.read(fields, TENANTS);
        tenants = limits.set();
        for (String tenant : limits.unset()) unset.add(TenantBounds.PREFIX + tenant);
    }

    private void take(String name, Map<String, Setting> vocabulary, RequestFields fields) throws RejectedException {
        Setting setting = vocabulary.get(name);
        if (setting == null) throw fields.unknown(name, names(vocabulary));
        say(setting, fields.path(name), fields.has(name) ? setting.read(fields, name) : QueueConfig.NONE);
    }

    /** Returns the names of a vocabulary. The whole configuration has more of them than its settings. */
    private static Set<String> names(Map<String, Setting> vocabulary) {
        Set<String> names = new TreeSet<>(vocabulary.keySet());
        if (vocabulary.equals(BACKPRESSURE)) names.add(TENANTS);
        if (!vocabulary.equals(QUEUE)) return names;
        names.addAll(GROUPS.keySet());
        names.addAll(Set.of(TENANTS, RATE_LIMIT));
        names.addAll(PolicyBody.NAMES);
        return names;
    }

    private void say(Setting setting, String field, QueueConfig value) throws RejectedException {
        Said before = said.putIfAbsent(setting, new Said(field, value));
        if (before == null || before.value.equals(value)) return;
        throw new RejectedException(Rejection.of(
                        ErrorCode.INVALID_REQUEST,
                        "The fields '%s' and '%s' are two names for the same and have different values."
                                .formatted(before.field, field))
                .with("field", field)
                .with("contradicts", before.field));
    }

    private ConfigureQueue command() {
        unset.addAll(policy.unset());
        QueueConfig set = QueueConfig.of(tenants).over(QueueConfig.of(policy.set()));
        for (Map.Entry<Setting, Said> one : said.entrySet()) {
            QueueConfig value = one.getValue().value;
            if (value.equals(QueueConfig.NONE)) unset.add(one.getKey().wire());
            set = value.over(set);
        }
        return new ConfigureQueue(queue, set, unset);
    }
}
