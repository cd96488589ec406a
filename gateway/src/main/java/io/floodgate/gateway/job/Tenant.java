package io.floodgate.gateway.job;

import io.floodgate.gateway.http.Call;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.json.Json;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The tenant named by a request's header belongs into the job's {@code meta.tenant_id} (OJS multi-tenancy §4). */
record Tenant(String id) {
    private static final HeaderName HEADER = HeaderNames.create("X-OJS-Tenant");
    private static final String MEMBER = "tenant_id";

    static Optional<Tenant> of(Call call) {
        String id = call.header(HEADER);
        return id == null || id.isBlank() ? Optional.empty() : Optional.of(new Tenant(id.strip()));
    }

    /** The job with the tenant in it. What cannot be read is left to be refused by the reader. */
    byte[] putInto(byte[] job) throws RefusedException {
        try {
            if (!(Json.tree(job) instanceof ObjectNode tree)) return job;
            JsonNode meta = tree.get("meta");
            if (meta == null || meta.isNull()) meta = tree.putObject("meta");
            if (!(meta instanceof ObjectNode members)) return job;
            JsonNode named = members.get(MEMBER);
            if (named != null
                    && !named.isNull()
                    && !(named.isString() && named.stringValue().equals(id)))
                throw new RefusedException(Refusal.of(
                                ErrorCode.INVALID_REQUEST, "X-OJS-Tenant and 'meta.tenant_id' name different tenants.")
                        .with("field", "meta.tenant_id"));
            members.put(MEMBER, id);
            return Json.bytes(tree);
        } catch (JacksonException malformed) {
            throw new RefusedException(Refusal.of(
                    ErrorCode.INVALID_PAYLOAD,
                    "The body is not valid JSON: %s".formatted(malformed.getOriginalMessage())));
        }
    }
}
