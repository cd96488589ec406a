package io.floodgate.gateway.deadletter;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The selection of a list of dead letters, beside those of one queue: by tenant, type, error and time of their coming.
 */
final class DeadLetterFilter {
    private DeadLetterFilter() {}

    /** Empty when all are wanted. */
    static Optional<Predicate<byte[]>> of(Call call) throws RejectedException {
        Optional<Tenant> tenant = Tenant.of(call);
        String type = call.query("type").orElse(null);
        String errorType = call.query("error_type").orElse(null);
        Instant since = time(call, "since");
        Instant until = time(call, "until");
        if (type == null && errorType == null && since == null && until == null) return tenant.map(one -> one::owns);
        JobFilter filter = JobFilter.of().ofType(type).takenIn(since, until);
        return Optional.of(job -> tenant.map(one -> one.owns(job)).orElse(true)
                && (errorType == null || errorType.equals(errorType(job)))
                && filter.admitsType(MemberWalk.text(job, "type").orElse(""))
                && MemberWalk.text(job, "created_at")
                        .flatMap(Timestamps::parse)
                        .map(filter::admitsTime)
                        .orElse(true));
    }

    /** The error type of its last run; empty if no worker reported one. */
    static String errorType(byte[] job) {
        MemberWalk members = new MemberWalk(job);
        while (members.next())
            if (members.nameIs("error") && members.isObject())
                return MemberWalk.text(members.raw(), "type").orElse("");
        return "";
    }

    private static @Nullable Instant time(Call call, String name) throws RejectedException {
        Optional<String> text = call.query(name);
        if (text.isEmpty()) return null;
        // A plus sign that was not escaped in a query has become a blank.
        return Timestamps.parse(text.get().replace(' ', '+'))
                .orElseThrow(() -> RequestFields.wrong(
                        name, "'%s' must be an RFC 3339 time, such as 2026-02-13T11:00:00Z.".formatted(name)));
    }
}
