package io.floodgate.gateway.console;

import io.floodgate.gateway.access.ApiPrincipal;
import io.floodgate.gateway.access.Scope;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.json.JsonOut;
import java.time.Clock;

/** {@code GET /ojs/v1/whoami}: what the caller's key is for, so that a page offers nothing that would be rejected. */
public record WhoAmI(String version, Clock clock) {
    public ApiResponse show(Call call) {
        ApiPrincipal caller = call.caller();
        Identity identity = caller.identity();
        JsonOut out = JsonOut.object()
                .field("authentication", identity == null ? "off" : "keys")
                .field(
                        "scopes",
                        Scope.OF_KEYS.stream()
                                .filter(caller::has)
                                .map(Scope::wire)
                                .toList());
        if (identity != null) {
            out.field("name", identity.name()).field("confined", identity.isConfined());
            if (identity.queues() != null) out.field("queues", identity.queues());
            out.optional("tenant", identity.tenant()).optional("expires_at", caller.expires());
        }
        return ApiResponse.ok(
                out.field("version", version).field("now", clock.instant()).endObject());
    }
}
