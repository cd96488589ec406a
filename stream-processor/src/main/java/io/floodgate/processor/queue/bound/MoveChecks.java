package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.TenantJobs;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.MoveMessage.ExpectJobs;
import io.floodgate.topics.command.MoveMessage.JobCounts;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.QueueConfig;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks whether a queue takes the jobs of another one that is deleted: all of them, or none. */
public record MoveChecks(Queues queues, AdmissionChecks gates, Bounds bounds, Producers producers) {
    private static final int MAX_SHOWN = 10;

    /** Returns whether it depends on the types and tenants of the jobs, which the message does not say yet. */
    public boolean needsCounts(ExpectJobs message) {
        QueueConfig config = queues.imagine(message.queue()).config();
        List<String> types = config.policy().access().jobTypes();
        boolean takesEveryJob = config.tenants().isNone() && (types == null || types.containsAll(Access.ALL));
        return message.counts() == null && message.jobs() > 0 && !takesEveryJob;
    }

    /** Returns why no job can be moved, as far as the message describes them; null if all of them can. */
    @Nullable
    public Rejection reject(ExpectJobs message) {
        Queue queue = queues.find(message.queue());
        if (queue == null)
            return Rejection.of(
                            ErrorCode.INVALID_REQUEST,
                            "There is no queue '%s' to move jobs to; POST /ojs/v1/queues makes one."
                                    .formatted(message.queue()))
                    .with("field", "target_queue");
        if (queue.ending() != null) return AdmissionChecks.rejectChange(queue);
        RequiredCapacity demand = demand(message, queue);
        boolean fits = message.jobs() == 0 || (demand.overDepth() == 0 && demand.overSize() == 0);
        // mutant: move-fits
        Rejection rejection = fits ? gates.reject(List.of(queue.name)) : full(queue, message);
        if (rejection == null && message.counts() != null) rejection = reject(message, message.counts(), demand);
        boolean isBehind = rejection == null && message.jobs() > 0 && !needsCounts(message) && bounds.isBehind(demand);
        return isBehind ? behind(queue) : rejection;
    }

    private static RequiredCapacity demand(ExpectJobs message, Queue queue) {
        JobCounts counts = message.counts();
        Map<String, Long> tenants =
                counts == null || !queue.countsTenants() ? Collections.emptySortedMap() : counts.tenants();
        return new RequiredCapacity(queue, message.jobs(), message.bytes(), "", new TenantDemand(queue, tenants));
    }

    private static @Nullable Rejection reject(ExpectJobs message, JobCounts counts, RequiredCapacity demand) {
        Queue queue = demand.queue();
        SortedMap<String, Long> others = new TreeMap<>(counts.types());
        others.keySet().removeIf(queue.config().policy().access()::allowsType);
        // mutant: types-of-move
        if (!others.isEmpty()) return notAllowed(message, others);
        String tenant = demand.tenants().full();
        // mutant: tenants-of-move
        return tenant == null ? null : full(message, demand.tenants(), tenant);
    }

    private static Rejection notAllowed(ExpectJobs message, SortedMap<String, Long> types) {
        long jobs = types.values().stream().mapToLong(Long::longValue).sum();
        String shown = types.entrySet().stream()
                .limit(MAX_SHOWN)
                .map(type -> "%s (%d)".formatted(type.getKey(), type.getValue()))
                .collect(Collectors.joining(", "));
        JsonOut json = JsonOut.object();
        types.entrySet().stream().limit(MAX_SHOWN).forEach(type -> json.field(type.getKey(), type.getValue()));
        return Rejection.of(
                        ErrorCode.CONFLICT,
                        "Queue '%s' takes no jobs of these types, which queue '%s' has: %s%s. None was moved. Add the types to its 'allowed_job_types', cancel these jobs, or drain the queue."
                                .formatted(
                                        message.queue(), message.from(), shown, types.size() > MAX_SHOWN ? ", …" : ""))
                .with("queue", message.queue())
                .with("jobs", jobs)
                .withJson("job_types", json.endObject().toString());
    }

    private static Rejection full(ExpectJobs message, TenantDemand demand, String tenant) {
        long jobs = demand.jobs().getOrDefault(tenant, 0L);
        return demand.describe(
                Rejection.of(
                                ErrorCode.CONFLICT,
                                "Queue '%s' has no room for the %d jobs of tenant '%s' in queue '%s': its %s is %d, and it has %d. None was moved. Raise that bound, or wait until the tenant has fewer jobs."
                                        .formatted(
                                                message.queue(),
                                                jobs,
                                                tenant,
                                                message.from(),
                                                TenantJobs.LIMIT,
                                                demand.bound(tenant),
                                                demand.queue().depthOf(tenant)))
                        .with("jobs", jobs),
                tenant);
    }

    private Rejection behind(Queue queue) {
        return Rejection.of(
                        ErrorCode.CONFLICT,
                        "%d producers wait for room in queue '%s', and the jobs would overtake them. Raise its bound, or wait until it has drained."
                                .formatted(producers.at(queue.name), queue.name))
                .with("queue", queue.name)
                .with("blocked", producers.at(queue.name));
    }

    private static Rejection full(Queue queue, ExpectJobs message) {
        Rejection rejection = Rejection.of(
                        ErrorCode.CONFLICT,
                        "Queue '%s' has no room for the %d jobs of queue '%s', so none was moved. Raise its bound, or wait until it has drained."
                                .formatted(queue.name, message.jobs(), message.from()))
                .with("queue", queue.name)
                .with("jobs", message.jobs())
                .with("depth", queue.counts.depth());
        long depthBound = queue.config().depthBound();
        long sizeBound = queue.config().sizeBound();
        if (depthBound > 0) rejection = rejection.with("max_depth", depthBound);
        if (sizeBound > 0)
            rejection = rejection
                    .with("bytes", message.bytes())
                    .with("size_bytes", queue.counts.bytes())
                    .with("max_size_bytes", sizeBound);
        return rejection;
    }
}
