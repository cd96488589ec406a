package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.limit.OnLimit;
import io.floodgate.topics.retry.Backoff;
import io.floodgate.topics.retry.RetryPolicy;
import io.floodgate.topics.version.JobVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored form of a {@link JobRecord}. A new field gets a new version; every version ever released stays readable. */
public final class JobCodec {
    private static final int VERSION = 1;

    private JobCodec() {}

    public static byte[] write(JobRecord job) {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .u8(job.state.code())
                .number(flags(job))
                .text(job.type)
                .text(job.queue)
                .signed(job.priority)
                .number(job.sizeBytes)
                .time(job.createdAt)
                .signed(job.enqueuedAt.toEpochMilli() - job.createdAt.toEpochMilli())
                .number(job.attempt)
                .number(job.rank)
                .number(job.leases);
        if (job.timeout != null) out.number(job.timeout.toMillis());
        if (job.visibility != null) out.number(job.visibility.toMillis());
        time(out, job.expiresAt);
        if (job.testDirective != null) out.text(job.testDirective);
        time(out, job.scheduledAt);
        time(out, job.startedAt);
        time(out, job.nextAttemptAt);
        time(out, job.activatedAt);
        time(out, job.reEnqueuedAt);
        time(out, job.endedAt);
        if (job.retryDelay != null) out.number(job.retryDelay.toMillis());
        if (job.previousState != null) out.u8(job.previousState.code());
        if (job.lease != null) lease(out, job.lease);
        if (!job.retry.equals(RetryPolicy.DEFAULT)) retry(out, job.retry);
        deliveryRef(out, job);
        time(out, missedAt(job));
        if (job.tenant != null) out.text(job.tenant);
        JobRecord.Promise promise = job.promise;
        if (promise != null) out.flag(promise.counts()).number(promise.bytes()).flag(promise.countsForTenant());
        JobRecord.DeadLetterInfo info = job.deadLetterInfo;
        if (info != null)
            out.text(info.origin()).time(info.at()).text(info.reason()).time(info.until());
        if (job.movingTo != null) out.text(job.movingTo);
        if (job.limitKey != null)
            out.text(job.limitKey).text(job.onLimit.wire()).number(job.permit).flag(job.putOff);
        if (job.hops > 0) out.number(job.hops);
        if (job.tie != null) job.tie.write(out);
        if (job.ownerTie != null) OwnerTie.STORED.write(job.ownerTie, out);
        if (job.version != null) out.signed(job.version.major()).number(job.version.minor());
        if (job.order != null) job.order.write(out);
        return out.toBytes();
    }

    public static JobRecord read(JobId id, byte[] value) {
        BinaryIn in = new BinaryIn(value);
        in.version(VERSION, () -> "job " + id);
        JobState state = JobState.ofCode(in.u8());
        long flags = in.number();
        String type = in.text();
        String queue = in.text();
        int priority = (int) in.signed();
        int size = in.integer();
        JobRecord job = new JobRecord(id, type, size, in.time());
        job.state = state;
        job.queue = queue;
        job.priority = priority;
        job.enqueuedAt = job.createdAt.plusMillis(in.signed());
        job.attempt = in.integer();
        job.rank = in.number();
        job.leases = in.number();
        job.discardOnWorkerLost = has(flags, 0);
        job.showsExpiry = has(flags, 1);
        job.registered = has(flags, 2);
        job.reserved = has(flags, 3);
        job.hasErrors = has(flags, 4);
        job.hasResult = has(flags, 5);
        job.expired = has(flags, 6);
        job.deadLetter = has(flags, 7);
        job.timeout = has(flags, 8) ? Duration.ofMillis(in.number()) : null;
        job.visibility = has(flags, 9) ? Duration.ofMillis(in.number()) : null;
        job.expiresAt = has(flags, 10) ? in.time() : null;
        job.testDirective = has(flags, 11) ? in.text() : null;
        job.scheduledAt = has(flags, 12) ? in.time() : null;
        job.startedAt = has(flags, 13) ? in.time() : null;
        job.nextAttemptAt = has(flags, 14) ? in.time() : null;
        job.activatedAt = has(flags, 15) ? in.time() : null;
        job.reEnqueuedAt = has(flags, 16) ? in.time() : null;
        job.endedAt = has(flags, 17) ? in.time() : null;
        job.retryDelay = has(flags, 18) ? Duration.ofMillis(in.number()) : null;
        job.previousState = has(flags, 19) ? JobState.ofCode(in.u8()) : null;
        Lease lease = has(flags, 20) ? lease(in) : null;
        job.retry = has(flags, 21) ? retry(in) : RetryPolicy.DEFAULT;
        // mutant: stored-handout
        DeliveryRef deliveryRef = has(flags, 22) ? new DeliveryRef(in.text(), in.number()) : null;
        Instant missedAt = has(flags, 23) ? in.time() : null;
        job.tenant = has(flags, 24) ? in.text() : null;
        job.promise = has(flags, 25) ? new JobRecord.Promise(in.flag(), in.number(), in.flag()) : null;
        job.deadLetterInfo =
                has(flags, 26) ? new JobRecord.DeadLetterInfo(in.text(), in.time(), in.text(), in.time()) : null;
        job.movingTo = has(flags, 27) ? in.text() : null;
        if (has(flags, 28)) {
            job.limitKey = in.text();
            job.onLimit = WireName.parse(OnLimit.class, in.text()).orElseThrow();
            job.permit = in.number();
            job.putOff = in.flag();
        }
        job.hasProgress = has(flags, 29);
        job.hops = has(flags, 30) ? in.integer() : 0;
        job.tie = has(flags, 31) ? KeyTie.read(in) : null;
        job.ownerTie = has(flags, 32) ? OwnerTie.STORED.read(in) : null;
        // mutant: stored-version
        job.version = has(flags, 33) ? new JobVersion((int) in.signed(), in.integer()) : null;
        // mutant: stored-order
        job.order = has(flags, 34) ? OrderPlace.read(in) : null;
        if (lease != null)
            job.lease = new Lease(lease.number(), lease.holder(), lease.until(), lease.length(), deliveryRef, missedAt);
        return job;
    }

    private static @Nullable DeliveryRef deliveryRef(JobRecord job) {
        return job.lease == null ? null : job.lease.deliveryRef();
    }

    private static @Nullable Instant missedAt(JobRecord job) {
        return job.lease == null ? null : job.lease.missedAt();
    }

    private static void deliveryRef(BinaryOut out, JobRecord job) {
        DeliveryRef deliveryRef = deliveryRef(job);
        if (deliveryRef != null) out.text(deliveryRef.requester()).number(deliveryRef.correlation());
    }

    private static long flags(JobRecord job) {
        boolean[] flags = {
            job.discardOnWorkerLost,
            job.showsExpiry,
            job.registered,
            job.reserved,
            job.hasErrors,
            job.hasResult,
            job.expired,
            job.deadLetter,
            job.timeout != null,
            job.visibility != null,
            job.expiresAt != null,
            job.testDirective != null,
            job.scheduledAt != null,
            job.startedAt != null,
            job.nextAttemptAt != null,
            job.activatedAt != null,
            job.reEnqueuedAt != null,
            job.endedAt != null,
            job.retryDelay != null,
            job.previousState != null,
            job.lease != null,
            !job.retry.equals(RetryPolicy.DEFAULT),
            deliveryRef(job) != null,
            missedAt(job) != null,
            job.tenant != null,
            job.promise != null,
            job.deadLetterInfo != null,
            job.movingTo != null,
            job.limitKey != null,
            job.hasProgress,
            job.hops > 0,
            job.tie != null,
            job.ownerTie != null,
            job.version != null,
            job.order != null
        };
        long bits = 0;
        for (int i = 0; i < flags.length; i++) if (flags[i]) bits |= 1L << i;
        return bits;
    }

    private static boolean has(long flags, int bit) {
        return (flags >>> bit & 1) != 0;
    }

    private static void time(BinaryOut out, @Nullable Instant time) {
        if (time != null) out.time(time);
    }

    private static void lease(BinaryOut out, Lease lease) {
        out.number(lease.number())
                .optional(lease.holder())
                .time(lease.until())
                .number(lease.length().toMillis());
    }

    private static Lease lease(BinaryIn in) {
        return new Lease(in.number(), in.optionalText(), in.time(), Duration.ofMillis(in.number()), null, null);
    }

    private static void retry(BinaryOut out, RetryPolicy retry) {
        RetryPolicy.Intervals intervals = retry.intervals();
        out.number(retry.maxAttempts())
                .number(intervals.initial().toMillis())
                .number(intervals.max().toMillis())
                .real(intervals.coefficient())
                .u8(intervals.backoff().code())
                .flag(intervals.jitter())
                .flag(retry.deadLetterOnExhaustion())
                .number(retry.nonRetryableErrors().size());
        retry.nonRetryableErrors().forEach(out::text);
    }

    private static RetryPolicy retry(BinaryIn in) {
        int maxAttempts = in.integer();
        var intervals = new RetryPolicy.Intervals(
                Duration.ofMillis(in.number()),
                Duration.ofMillis(in.number()),
                in.real(),
                Backoff.ofCode(in.u8()),
                in.flag());
        boolean deadLetter = in.flag();
        int count = in.integer();
        List<String> errors = new ArrayList<>();
        for (int i = 0; i < count; i++) errors.add(in.text());
        return new RetryPolicy(maxAttempts, intervals, errors, deadLetter);
    }
}
