package io.floodgate.processor.batch;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.UniqueMessage.KeyClaim;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.unique.UniquePolicy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job of a batch, its id, its own bytes, and whether the id has to be claimed. */
record BatchMember(JobId id, Envelope envelope, byte[] job, boolean claims) {
    /** Null if the job has no id. */
    static @Nullable BatchMember read(byte[] job, boolean claims) throws UnreadableJob {
        Envelope envelope = EnvelopeReader.readBatched(job);
        JobId id = envelope.id();
        return id == null ? null : new BatchMember(id, envelope, job, claims);
    }

    /** Returns the states in which another job is a duplicate of this one. */
    int states() {
        UniquePolicy policy = envelope.terms().unique();
        return policy == null ? 0 : policy.states();
    }

    static List<Envelope> envelopesOf(List<BatchMember> members) {
        return members.stream().map(BatchMember::envelope).toList();
    }

    static Set<String> queuesOf(List<BatchMember> members) {
        Set<String> queues = new LinkedHashSet<>();
        for (BatchMember member : members) queues.add(member.envelope.queue());
        return queues;
    }

    /** @param without the positions of jobs that are not stored */
    static List<KeyClaim> claimsOf(List<BatchMember> members, Set<Integer> without, @Nullable Identity by) {
        List<KeyClaim> claims = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            BatchMember member = members.get(i);
            UniquePolicy policy = member.envelope.terms().unique();
            if (policy == null || without.contains(i)) continue;
            // mutant: key-space
            claims.add(new KeyClaim(i, member.id, member.envelope.queue(), policy.in(Identity.spaceOf(by))));
        }
        return claims;
    }
}
