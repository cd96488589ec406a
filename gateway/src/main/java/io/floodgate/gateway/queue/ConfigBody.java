package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.queue.ConfigFields.Field;
import io.floodgate.gateway.queue.ConfigFields.Group;
import io.floodgate.gateway.queue.ConfigFields.Setting;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.QueueConfig;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision of an operator about a queue, in any of the vocabularies of {@link ConfigFields}; bare, or inside of what
 * answers have it in. An absent field stays, and null resets it.
 */
public final class ConfigBody {
    public static final int MAX_BYTES = 64 * 1024;

    private static final Set<String> WRAPPERS = Set.of("config", "configuration", "queue");

    /** A setting that the body decides, with the path of its field; a null value resets it. */
    private record Decision(String field, @Nullable QueueConfig value) {}

    private final String queue;
    private final Map<String, Decision> decisions = new LinkedHashMap<>();
    private final Set<String> unset = new HashSet<>();

    private ConfigBody(String queue) {
        this.queue = queue;
    }

    static ConfigureQueue read(String queue, RequestFields body) throws RejectedException {
        ConfigBody read = new ConfigBody(queue);
        read.take(ConfigFields.QUEUE, body);
        return read.command();
    }

    /** The limits of a queue alone. */
    static ConfigureQueue readLimits(String queue, RequestFields body) throws RejectedException {
        ConfigBody read = new ConfigBody(queue);
        read.take(ConfigFields.RATE_LIMIT, body);
        return read.command();
    }

    private void take(Group group, RequestFields fields) throws RejectedException {
        for (String name : fields.names()) {
            Field field = group.fields().get(name);
            boolean isWhole = group.equals(ConfigFields.QUEUE);
            if (isWhole && name.equals("name")) checkName(fields);
            else if (isWhole && WRAPPERS.contains(name)) take(group, fields.object(name));
            else
                switch (field) {
                    case null -> throw fields.unknown(name, group.fields().keySet());
                    case Setting setting -> decide(setting, fields, name);
                    case Group inside -> {
                        List<Setting> settings = inside.whole(fields, name);
                        for (Setting setting : settings) decide(setting, fields, name);
                        if (settings.isEmpty()) take(inside, fields.object(name));
                    }
                }
        }
    }

    private void checkName(RequestFields fields) throws RejectedException {
        if (!queue.equals(fields.text("name")))
            throw fields.fault("name", "The '%s' field must be the queue's name, as it stands in the path.");
    }

    private void decide(Setting setting, RequestFields fields, String name) throws RejectedException {
        String field = fields.path(name);
        QueueConfig value = fields.has(name) ? setting.read(fields, name, unset) : null;
        if (value == null) unset.add(setting.key());
        Decision before = decisions.putIfAbsent(setting.key(), new Decision(field, value));
        if (before == null || Objects.equals(before.value, value)) return;
        throw new RejectedException(Rejection.of(
                        ErrorCode.INVALID_REQUEST,
                        "The fields '%s' and '%s' are two names for the same and have different values."
                                .formatted(before.field, field))
                .with("field", field)
                .with("contradicts", before.field));
    }

    private ConfigureQueue command() {
        QueueConfig set = QueueConfig.NONE;
        for (Decision decision : decisions.values()) if (decision.value != null) set = decision.value.over(set);
        return new ConfigureQueue(queue, set, unset);
    }
}
