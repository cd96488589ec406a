package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.AdminCommand.Maintain;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code /ojs/v1/admin/system/maintenance}: no partition hands out jobs (OJS admin §12.1). */
public record MaintenanceOperations(Partitions partitions, Clock clock) {
    private static final Set<String> KNOWN =
            Set.of("enabled", "reason", "estimated_duration", "estimated_duration_ms", "duration", "duration_ms");

    public ApiResponse show(Call call) throws CommandFailed, RejectedException {
        return answer(ask(call, new Inspect()));
    }

    public ApiResponse change(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json().only(KNOWN);
        if (!body.has("enabled")) throw RequestFields.wrong("enabled", "The 'enabled' field is required.");
        boolean enabled = body.flag("enabled");
        String reason = body.text("reason", Limits.NAME_CHARS);
        return answer(ask(call, new Maintain(enabled, enabled ? reason : null, enabled ? end(body) : null)));
    }

    private @Nullable Instant end(RequestFields body) throws RejectedException {
        for (String name : List.of("estimated_duration", "duration")) {
            Duration length = body.length(name + "_ms", name);
            if (length != null) return clock.instant().plus(length);
        }
        return null;
    }

    private List<byte[]> ask(Call call, Command command) throws CommandFailed, RejectedException {
        return partitions.by(call).askAll("maintenance", command).stream()
                .map(List::getFirst)
                .toList();
    }

    /**
     * Returns the answer. A change that has reached only some of the partitions shows as on: it has to be asked for
     * again.
     */
    private static ApiResponse answer(List<byte[]> logs) {
        List<byte[]> maintained = logs.stream()
                .filter(log -> MemberWalk.text(log, "maintenance").orElse("").equals("true"))
                .toList();
        JsonOut out =
                JsonOut.object().field("enabled", !maintained.isEmpty()).field("maintenance", !maintained.isEmpty());
        if (!maintained.isEmpty()) {
            byte[] first = maintained.getFirst();
            if (maintained.size() < logs.size()) out.field("partial", true);
            write(first, "maintenance_reason", out, "reason");
            write(first, "maintenance_since", out, "started_at", "enabled_at");
            write(first, "maintenance_until", out, "estimated_end");
        }
        return ApiResponse.ok(out.endObject());
    }

    private static void write(byte[] log, String from, JsonOut out, String... to) {
        Optional<String> value = MemberWalk.text(log, from);
        for (String name : to) value.ifPresent(text -> out.field(name, text));
    }
}
