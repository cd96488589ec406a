package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.WaitRegistry;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A producer that waits for capacity in a queue, as it is stored.
 *
 * @param number its ticket among all of the partition
 * @param queue at which it waits
 * @param jobs that it has for the queue, and their bytes
 * @param tenants how many of the jobs are whose, if the queue bounds its tenants
 * @param size of the command
 * @param batch that another partition decides about, which keeps its command; null for any other producer
 * @param told that log has heard that its turn has come
 * @param by who it is; null for one without a name, and for a batch, of which that log knows
 * @param own the job, if the system has made it
 */
record WaitingProducer(
        long number,
        String queue,
        long jobs,
        long bytes,
        Map<String, Long> tenants,
        Instant since,
        Instant until,
        @Nullable ReplyTo replyTo,
        long size,
        @Nullable Batch batch,
        boolean told,
        @Nullable Identity by,
        @Nullable JobId own)
        implements WaitRegistry.Registered {
    WaitingProducer(
            long number,
            String queue,
            long jobs,
            long bytes,
            Map<String, Long> tenants,
            Instant since,
            Instant until,
            @Nullable ReplyTo replyTo,
            long size,
            @Nullable Identity by,
            @Nullable JobId own) {
        this(number, queue, jobs, bytes, tenants, since, until, replyTo, size, null, false, by, own);
    }

    void show(JsonOut out) {
        out.beginObject().field("since", since).field("jobs", jobs).optional("by", by == null ? null : by.name());
        if (!tenants.isEmpty()) out.field("tenants", List.copyOf(tenants.keySet()));
        if (own != null) out.field("own_job", own.toString());
        out.field("until", until).endObject();
    }

    WaitingProducer toldNow() {
        return new WaitingProducer(
                number, queue, jobs, bytes, tenants, since, until, replyTo, size, batch, true, by, own);
    }

    /** A batch by its number in the partition that decides about it. */
    record Batch(PartitionId coordinator, long number) implements Comparable<Batch> {
        private static final Comparator<Batch> ORDER =
                Comparator.comparing(Batch::coordinator).thenComparingLong(Batch::number);

        @Override
        public int compareTo(Batch other) {
            return ORDER.compare(this, other);
        }
    }

    /** A producer that waits, with the command that is stored with it. */
    record Stored(WaitingProducer waiting, CommandCodec.Encoded encoded) {
        static final StoredForm<Stored> STORED = new StoredForm<>(Stored.class, 1, "a producer that waits");

        Patient command() {
            return (Patient) encoded.decode();
        }
    }
}
