package io.floodgate.processor.queue.job;

import io.floodgate.processor.queue.permit.PermitAccounts;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.limit.UnreadableLimit;

/** Finds the limits that stored jobs define for their keys. */
public record LimitsOfJobs(Payloads payloads, PermitAccounts accounts) {
    /** A job comes from another queue, or comes back: what it says of its key may not be known here. */
    void know(JobRecord job) {
        if (job.limitKey == null || accounts.find(job.limitKey) != null) return;
        MemberWalk members = new MemberWalk(payloads.payload(job));
        while (members.next()) {
            if (!members.nameIs("rate_limit")) continue;
            try {
                RateLimit said = LimitReader.rateLimit(Json.tree(members.raw()), "rate_limit", job.queue);
                accounts.use(new RateLimit(job.limitKey, said.allowance(), said.onLimit()));
            } catch (UnreadableLimit unreadable) {
                throw new IllegalStateException("a limit that could be read before", unreadable);
            }
        }
    }
}
