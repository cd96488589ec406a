package io.floodgate.gateway.job;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.queue.TenantId;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tenant of the key, or named by a request's header: it belongs into the job's {@code meta.tenant_id} (OJS
 * multi-tenancy §5), and a caller that names one cannot see jobs of others.
 */
public record Tenant(String id) {
    private static final HeaderName HEADER = HeaderNames.create("X-OJS-Tenant");
    private static final String MEMBER = "tenant_id";

    public static Optional<Tenant> of(Call call) throws RejectedException {
        String own = call.caller().tenant();
        String header = call.header(HEADER);
        if (header == null || header.isBlank()) return Optional.ofNullable(own).map(Tenant::new);
        String id = header.strip();
        if (own != null && !own.equals(id)) throw notItsOwn();
        if (TenantId.isTenant(id) || id.equals(TenantId.DEFAULT)) return Optional.of(new Tenant(id));
        throw new RejectedException(Rejection.of(
                        ErrorCode.INVALID_REQUEST,
                        "X-OJS-Tenant must begin with a letter or digit, and go on with those and '.', '_', ':', '-'.")
                .with("field", "X-OJS-Tenant"));
    }

    private static RejectedException notItsOwn() {
        return new RejectedException(
                Rejection.of(ErrorCode.PERMISSION_DENIED, "The key is for another tenant than X-OJS-Tenant names.")
                        .with("field", "X-OJS-Tenant"));
    }

    public boolean owns(byte[] job) {
        return TenantId.of(job).equals(id);
    }

    /** Asks whose the job is, for a caller that names a tenant. Whose it is never changes. */
    public static void mustOwn(Partitions partitions, Call call, JobId id) throws CommandFailed, RejectedException {
        if (of(call).isPresent()) mustOwn(call, JobAnswer.ask(partitions, call, new GetJob(id)));
    }

    /** Throws for a job of another tenant than the request's as if there were none. */
    public static void mustOwn(Call call, JobAnswer job) throws RejectedException {
        Optional<Tenant> tenant = of(call);
        if (tenant.isPresent() && !tenant.get().owns(job.job()))
            throw new RejectedException(
                    Rejection.notFound("job", MemberWalk.text(job.job(), "id").orElse("")));
    }

    /** The job with the tenant in it. What cannot be read is left to be rejected by the reader. */
    public byte[] putInto(byte[] job) throws RejectedException {
        try {
            if (!(Json.tree(job) instanceof ObjectNode tree)) return job;
            JsonNode meta = tree.get("meta");
            if (meta == null || meta.isNull()) meta = tree.putObject("meta");
            if (!(meta instanceof ObjectNode members)) return job;
            JsonNode named = members.get(MEMBER);
            if (named != null
                    && !named.isNull()
                    && !(named.isString() && named.stringValue().equals(id)))
                throw new RejectedException(Rejection.of(
                                ErrorCode.INVALID_REQUEST,
                                "'meta.tenant_id' is another tenant than that of the request.")
                        .with("field", "meta.tenant_id"));
            members.put(MEMBER, id);
            return Json.bytes(tree);
        } catch (JacksonException malformed) {
            throw new RejectedException(Rejection.of(
                    ErrorCode.INVALID_PAYLOAD,
                    "The body is not valid JSON: %s".formatted(malformed.getOriginalMessage())));
        }
    }
}
