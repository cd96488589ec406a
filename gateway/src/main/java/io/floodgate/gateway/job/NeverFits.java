package io.floodgate.gateway.job;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.queue.TenantId;
import io.floodgate.topics.queue.TenantResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A part of a batch says that its queue is full; it knows nothing of the other parts. A batch that would not fit into the
 * empty queue either must be rejected as such, or its sender would try for ever.
 */
final class NeverFits {
    private NeverFits() {}

    /** Returns the rejection for the sender of the whole batch. */
    static RejectedException told(RejectedException ofPart, List<Envelope> batch) {
        Rejection rejection = ofPart.rejection();
        // The names of queues and tenants have nothing in them that JSON would write otherwise.
        String queue = detail(rejection, "queue").orElse("").replace("\"", "");
        boolean isOverAll = detail(rejection, "limit").orElse("").equals('"' + TenantResource.JOBS.limit() + '"');
        long bound = detail(rejection, isOverAll ? "maximum" : "max_depth")
                .map(Long::parseLong)
                .orElse(0L);
        if (!isFull(rejection.code()) || bound == 0) return ofPart;
        String tenant = detail(rejection, "tenant_id").orElse("").replace("\"", "");
        long jobs = batch.stream()
                .filter(job -> isOverAll || job.queue().equals(queue))
                .filter(job -> tenant.isEmpty() || TenantId.of(job.members()).equals(tenant))
                .count();
        if (jobs <= bound) return ofPart;
        List<Rejection.Detail> details = new ArrayList<>(rejection.details());
        details.removeIf(detail -> detail.name().equals("retry_after_seconds"));
        String message = tenant.isEmpty()
                ? "%d jobs can never fit into queue '%s', which has a depth bound (%d).".formatted(jobs, queue, bound)
                : "%d jobs of tenant '%s' can never fit %s, where it may have %d."
                        .formatted(
                                jobs,
                                tenant,
                                isOverAll ? "into all queues" : "into queue '%s'".formatted(queue),
                                bound);
        return new RejectedException(
                new Rejection(ErrorCode.BATCH_EXCEEDS_BOUND, message, details).with("reason", "batch_exceeds_bound"));
    }

    private static boolean isFull(ErrorCode code) {
        return code == ErrorCode.QUEUE_FULL || code == ErrorCode.TENANT_LIMIT_EXCEEDED;
    }

    private static Optional<String> detail(Rejection rejection, String name) {
        return rejection.details().stream()
                .filter(detail -> detail.name().equals(name))
                .map(Rejection.Detail::json)
                .findFirst();
    }
}
