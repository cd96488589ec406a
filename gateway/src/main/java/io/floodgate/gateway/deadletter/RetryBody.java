package io.floodgate.gateway.deadletter;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Overrides;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.UnreadableRetry;
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
        String queue = fields.text("queue");
        if (queue != null && !EnvelopeReader.isQueueName(queue))
            throw fields.fault("queue", "The '%s' field must be the name of a queue.");
        byte[] args = fields.raw("args");
        if (args != null && args[0] != '[') throw fields.fault("args", "The '%s' field must be a JSON array.");
        byte[] meta = fields.has("meta") ? checked("meta", fields) : null;
        return new Overrides(queue, priority(fields), args, meta, retry(fields));
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

    private static RetryOptions retry(RequestFields fields) throws RejectedException {
        if (!fields.has("retry")) return RetryOptions.NONE;
        fields.object("retry");
        byte[] raw = fields.raw("retry");
        try {
            return raw == null ? RetryOptions.NONE : RetryOptions.read(Members.of(raw));
        } catch (UnreadableRetry unreadable) {
            throw new RejectedException(Rejection.of(ErrorCode.INVALID_RETRY_POLICY, unreadable.reason())
                    .with("field", fields.path("retry.") + unreadable.field()));
        } catch (MalformedJson malformed) {
            throw RequestFields.invalid(malformed);
        }
    }
}
