package io.floodgate.gateway.workflow;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.SignalCommand;
import io.floodgate.topics.command.SignalCommand.ForgetSignal;
import io.floodgate.topics.command.SignalCommand.GetSignal;
import io.floodgate.topics.command.SignalCommand.SendSignal;
import io.floodgate.topics.command.SignalName;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.helidon.http.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code /ojs/v1/signals} (an extension): what steps of workflows wait for. A signal belongs to a tenant, and to no queue: a key
 * that is confined to queues could end waits of others.
 */
final class SignalOperations {
    static final String PATH = "/ojs/v1/signals";
    static final int MAX_BODY = SignalCommand.DATA_BYTES + 8 * 1024;

    private static final Set<String> KNOWN = Set.of("event", "key", "data", "keep", "keep_ms");
    private static final byte[] DUPLICATE = "true".getBytes(StandardCharsets.US_ASCII);

    private final Partitions partitions;

    SignalOperations(Partitions partitions) {
        this.partitions = partitions;
    }

    /** Something has happened: 201, or 200 if it was known. */
    ApiResponse send(Call call) throws CommandFailed, RejectedException {
        String tenant = tenant(call);
        RequestFields body = call.json().only(KNOWN);
        byte[] data = body.raw("data");
        if (data != null && data.length > SignalCommand.DATA_BYTES)
            throw new RejectedException(Rejection.of(
                            ErrorCode.ENVELOPE_TOO_LARGE,
                            "The 'data' of a signal may have at most %d bytes: send a reference to it."
                                    .formatted(SignalCommand.DATA_BYTES))
                    .with("field", "data")
                    .with("max_bytes", SignalCommand.DATA_BYTES));
        Duration kept = body.length("keep_ms", "keep");
        if (kept != null && kept.compareTo(SignalCommand.LONGEST_KEPT) > 0)
            throw body.fault(
                    body.has("keep_ms") ? "keep_ms" : "keep",
                    "The '%%s' field may be %d days at most.".formatted(SignalCommand.LONGEST_KEPT.toDays()));
        String event = body.text("event");
        String key = body.text("key");
        SignalName name = name(tenant, event, key);
        byte[] signal = partitions
                .by(call)
                .ofSignal(name)
                .askLine(new SendSignal(tenant, name.event(), name.key(), data, kept));
        boolean isKnown = Arrays.equals(MemberWalk.raw(signal, "duplicate"), DUPLICATE);
        JsonOut out = JsonOut.object(signal.length + 16).members(signal).endObject();
        return ApiResponse.json(isKnown ? Status.OK_200 : Status.CREATED_201, out);
    }

    ApiResponse get(Call call) throws CommandFailed, RejectedException {
        SignalName name = named(call);
        return answer(call, name, new GetSignal(name.tenant(), name.event(), name.key()));
    }

    ApiResponse forget(Call call) throws CommandFailed, RejectedException {
        SignalName name = named(call);
        return answer(call, name, new ForgetSignal(name.tenant(), name.event(), name.key()));
    }

    private ApiResponse answer(Call call, SignalName name, SignalCommand command)
            throws CommandFailed, RejectedException {
        byte[] signal = partitions.by(call).ofSignal(name).askLine(command);
        return ApiResponse.ok(JsonOut.object(signal.length + 16).members(signal).endObject());
    }

    private static SignalName named(Call call) throws RejectedException {
        String tenant = tenant(call);
        return name(tenant, call.query("event").orElse(null), call.query("key").orElse(null));
    }

    private static SignalName name(@Nullable String tenant, @Nullable String event, @Nullable String key)
            throws RejectedException {
        if (event == null || !SignalName.isEvent(event))
            throw RequestFields.wrong(
                    "event",
                    "'event' must be 1 to 128 letters, digits, '.', '_', ':' and '-' that begin with a letter or digit.");
        if (key == null || !SignalName.isKey(key))
            throw RequestFields.wrong(
                    "key",
                    "'key' must be a text of 1 to %d characters: that for which steps wait, or the id of a workflow."
                            .formatted(SignalName.KEY_CHARS));
        return SignalName.of(tenant, event, key);
    }

    private static @Nullable String tenant(Call call) throws RejectedException {
        return Tenant.of(call).map(Tenant::id).orElse(null);
    }
}
