package io.floodgate.gateway.deadletter;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Overrides;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The changes with which a dead letter is tried again, inside of {@code override} or bare. */
final class RetryBody {
    private static final String OVERRIDE = "override";

    private static final Set<String> KNOWN = Set.of("queue", "args", "meta", "priority", "retry");

    private static final Set<String> AT_TOP = Set.of("queue", "args", "meta", "priority", "retry", OVERRIDE);

    private RetryBody() {}

    static Overrides read(RequestFields body) throws RejectedException {
        RequestFields fields = body.has(OVERRIDE) ? body.object(OVERRIDE) : body;
        fields.only(fields == body ? AT_TOP : KNOWN);
        byte[] args = fields.raw("args");
        if (args != null && args[0] != '[') throw fields.fault("args", "The '%s' field must be a JSON array.");
        byte[] meta = fields.has("meta") ? checked("meta", fields) : null;
        return new Overrides(fields.queue("queue"), priority(fields), args, meta, fields.retry("retry"));
    }

    private static byte @Nullable [] checked(String name, RequestFields fields) throws RejectedException {
        fields.object(name);
        return fields.raw(name);
    }

    private static @Nullable Integer priority(RequestFields fields) throws RejectedException {
        if (!fields.has("priority")) return null;
        long priority = fields.number("priority").orElse(Long.MAX_VALUE);
        if (Math.abs(priority) > Limits.MOST_PRIORITY)
            throw fields.fault("priority", "The '%s' field must be an integer from -100 to 100.");
        return (int) priority;
    }
}
