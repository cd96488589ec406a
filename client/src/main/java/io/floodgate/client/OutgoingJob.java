package io.floodgate.client;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.TraceContext;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.queue.TenantId;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;

/**
 * A job on its way: checked as the server will check it, in its canonical spelling, and with an id, so that it can be sent
 * any number of times.
 *
 * @param madeId whether its id was made in this process, for its queue
 */
record OutgoingJob(JobId id, boolean madeId, String type, String queue, String tenant, byte[] json) {
    /** Makes ids that lead to the partition of the job's queue. */
    record Ids(LongSupplier epochMillis, LongSupplier chance) {
        JobId of(String queue) {
            return JobId.make(Slot.of(queue), epochMillis.getAsLong(), chance.getAsLong());
        }
    }

    /** Throws a {@link JobRejected} for what the server would not take either. */
    static OutgoingJob of(Job job, Ids ids) {
        try {
            Envelope envelope = EnvelopeReader.read(job.toJson());
            JobId given = envelope.id();
            return of(envelope, given == null ? ids.of(envelope.queue()) : given, given == null);
        } catch (UnreadableJob unreadable) {
            throw JobRejected.locally(unreadable.rejection(), null);
        }
    }

    /** A job that was kept on disk. Who made its id is not kept: the server then looks for a duplicate. */
    static OutgoingJob kept(byte[] json) throws UnreadableJob {
        Envelope envelope = EnvelopeReader.read(json);
        JobId id = envelope.id();
        if (id == null) throw new IllegalStateException("a job was kept without an id");
        return of(envelope, id, false);
    }

    OutgoingJob with(TraceContext context) {
        return new OutgoingJob(id, madeId, type, queue, tenant, context.putInto(json));
    }

    /** The same job, with an id that was made here if that one's was, unless it goes to another queue. */
    OutgoingJob madeBy(OutgoingJob first) {
        return new OutgoingJob(id, first.madeId && queue.equals(first.queue), type, queue, tenant, json);
    }

    String text() {
        return new String(json, StandardCharsets.UTF_8);
    }

    private static OutgoingJob of(Envelope envelope, JobId id, boolean made) {
        byte[] json = envelope.withId(id).toJson();
        return new OutgoingJob(id, made, envelope.type(), envelope.queue(), TenantId.of(json), json);
    }
}
