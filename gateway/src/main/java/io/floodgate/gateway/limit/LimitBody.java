package io.floodgate.gateway.limit;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.UnreadableLimit;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** The override of an operator: limits in any spelling, and their end. */
final class LimitBody {
    static final int MAX_BYTES = 16 * 1024;

    private static final String EXPIRES_AT = "expires_at";

    private LimitBody() {}

    static OverrideLimit read(String key, Call call) throws RejectedException {
        byte[] body = call.body();
        RequestFields fields = RequestFields.of(body);
        Instant until = until(fields.text(EXPIRES_AT));
        try {
            Allowance allowance = LimitReader.override(Json.tree(body), Set.of(EXPIRES_AT, "key"));
            if (allowance.isUnlimited())
                throw RequestFields.wrong(
                        "concurrency", "An override has at least one of 'concurrency', 'rate' and 'throttle'.");
            return new OverrideLimit(key, allowance, until);
        } catch (UnreadableLimit wrong) {
            throw RequestFields.wrong(wrong.field(), wrong.reason());
        } catch (JacksonException unreasonable) {
            throw RequestFields.wrong("", "The limits cannot be read: " + unreasonable.getOriginalMessage());
        }
    }

    private static @Nullable Instant until(@Nullable String text) throws RejectedException {
        if (text == null) return null;
        return Timestamps.parse(text)
                .orElseThrow(() ->
                        RequestFields.wrong(EXPIRES_AT, "The 'expires_at' field must be an RFC 3339 time to come."));
    }
}
