package io.floodgate.processor.batch;

import io.floodgate.topics.JobId;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
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

    static List<Envelope> envelopesOf(List<BatchMember> members) {
        return members.stream().map(BatchMember::envelope).toList();
    }

    static Set<String> queuesOf(List<BatchMember> members) {
        Set<String> queues = new LinkedHashSet<>();
        for (BatchMember member : members) queues.add(member.envelope.queue());
        return queues;
    }
}
