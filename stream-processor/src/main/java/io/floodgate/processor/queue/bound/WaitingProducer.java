package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.WaitRegistry;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    private static final int VERSION = 1;
    private static final String NO_BATCH = "";
    private static final String NO_NAME = "";

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

    byte[] write(CommandCodec.Encoded command) {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .text(queue)
                .number(jobs)
                .number(bytes)
                .time(since)
                .time(until)
                .optional(replyTo == null ? null : replyTo.toString())
                .text(command.op())
                .blob(command.value());
        if (tenants.isEmpty() && batch == null && by == null && own == null) return out.toBytes();
        out.number(tenants.size());
        tenants.forEach((tenant, own) -> out.text(tenant).number(own));
        if (batch != null)
            out.text(batch.coordinator.toString()).number(batch.number).flag(told);
        else if (by != null || own != null) out.text(NO_BATCH).text(by == null ? NO_NAME : by.write());
        if (own != null) out.job(own);
        return out.toBytes();
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

    static WaitingProducer read(long number, byte[] stored) {
        return Stored.read(number, stored).waiting;
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
        static Stored read(long number, byte[] stored) {
            BinaryIn in = new BinaryIn(stored);
            in.version(VERSION, () -> "a producer that waits");
            String queue = in.text();
            long jobs = in.number();
            long bytes = in.number();
            Instant since = in.time();
            Instant until = in.time();
            String replyTo = in.optionalText();
            var encoded = new CommandCodec.Encoded(in.text(), in.blob());
            long size = encoded.value().length;
            Map<String, Long> tenants = new TreeMap<>();
            if (in.hasMore()) for (int left = in.integer(); left > 0; left--) tenants.put(in.text(), in.number());
            ReplyTo to = replyTo == null ? null : ReplyTo.parse(replyTo);
            String coordinator = in.hasMore() ? in.text() : NO_BATCH;
            Batch batch = coordinator.equals(NO_BATCH) ? null : new Batch(PartitionId.parse(coordinator), in.number());
            boolean told = batch != null && in.flag();
            String name = batch == null && in.hasMore() ? in.text() : NO_NAME;
            Identity by = Identity.stored(name.equals(NO_NAME) ? null : name);
            JobId own = in.hasMore() ? in.job() : null;
            WaitingProducer waiting = new WaitingProducer(
                    number, queue, jobs, bytes, tenants, since, until, to, size, batch, told, by, own);
            return new Stored(waiting, encoded);
        }

        Patient command() {
            try {
                return (Patient) CommandCodec.decode(encoded.op(), encoded.value());
            } catch (UnreadableCommand unreadable) {
                throw new IllegalStateException("a command that could be read before", unreadable);
            }
        }
    }
}
