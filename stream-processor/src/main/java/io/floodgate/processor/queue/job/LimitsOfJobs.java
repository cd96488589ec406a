package io.floodgate.processor.queue.job;

import io.floodgate.processor.queue.permit.Desks;
import io.floodgate.processor.queue.state.Job;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.limit.UnreadableLimit;

/** What stored jobs say about the limit of their key. */
public final class LimitsOfJobs {
    private final Payloads payloads;
    private final Desks desks;

    public LimitsOfJobs(Payloads payloads, Desks desks) {
        this.payloads = payloads;
        this.desks = desks;
    }

    /** A job comes from another queue, or comes back: what it says of its key may not be known here. */
    void know(Job job) {
        if (job.limitKey == null || desks.find(job.limitKey) != null) return;
        MemberWalk members = new MemberWalk(payloads.payload(job));
        while (members.next()) {
            if (!members.nameIs("rate_limit")) continue;
            try {
                RateLimit said = LimitReader.rateLimit(Json.tree(members.raw()), "rate_limit", job.queue);
                desks.use(new RateLimit(job.limitKey, said.allowance(), said.onLimit()));
            } catch (UnreadableLimit unreadable) {
                throw new IllegalStateException("a limit that could be read before", unreadable);
            }
        }
    }
}
