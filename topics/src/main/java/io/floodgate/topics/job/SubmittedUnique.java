package io.floodgate.topics.job;

import io.floodgate.topics.job.Envelope.Terms;
import io.floodgate.topics.queue.TenantId;
import io.floodgate.topics.unique.UniqueReader;
import io.floodgate.topics.unique.UnreadableUnique;

/** The unique policy of a submitted job. */
final class SubmittedUnique {
    private SubmittedUnique() {}

    /** @param members of the job in their canonical spelling: the fingerprint is the same wherever it is read */
    static Terms addTo(Terms terms, SubmittedFields fields, byte[] members, String queue) throws UnreadableJob {
        byte[] policy = fields.raw("unique");
        if (policy == null) return terms;
        try {
            String tenant = TenantId.of(members);
            return terms.with(
                    UniqueReader.read(policy, members, queue, tenant.equals(TenantId.DEFAULT) ? null : tenant));
        } catch (UnreadableUnique unreadable) {
            throw UnreadableJob.field(unreadable.field(), unreadable.reason());
        }
    }
}
