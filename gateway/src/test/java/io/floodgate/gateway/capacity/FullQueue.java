package io.floodgate.gateway.capacity;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.KeyCommand.CheckKeys;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.unique.OnConflict;
import io.floodgate.topics.unique.UniquePolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A bounded queue as its partition would decide about it, and answer. */
final class FullQueue {
    static final String NAME = "email";

    long version = 100;
    long depth;
    long bound;
    String strategy = "reject";
    long retryAfter = 7;
    /** All if empty. */
    List<String> allowedTypes = List.of();
    /** How many ids that are asked for are those of jobs. */
    int known;
    /** Keys that jobs have. */
    final Set<String> keys = new HashSet<>();

    FullQueue(long depth, long bound) {
        this.depth = depth;
        this.bound = bound;
    }

    /** What the partition does. */
    Reply carryOut(Command command) {
        return switch (command) {
            case Enqueue c -> enqueue(c);
            case EnqueueBatch c -> enqueue(c.jobs().size());
            case CheckRoom c -> check(c.demand());
            case CreateWorkflow c -> new Reply.Rejected(rejection());
            case CheckKeys c ->
                FakePartitions.done("{\"known\":%d}"
                        .formatted(c.keys().stream().filter(keys::contains).count()));
            case CheckIds c -> FakePartitions.done("{\"known\":%d}".formatted(known));
            case JobCommand.GetJob c -> job();
            case JobCommand c -> {
                depth--;
                version++;
                yield job();
            }
            default -> FakePartitions.done(status());
        };
    }

    private Reply enqueue(Enqueue command) {
        UniquePolicy policy = unique(command.job());
        if (policy == null || !keys.contains(policy.fingerprint())) return enqueue(1);
        if (policy.onConflict() == OnConflict.REJECT)
            return new Reply.Rejected(Rejection.of(ErrorCode.DUPLICATE, "A job that is a duplicate exists."));
        return policy.onConflict() == OnConflict.IGNORE
                ? FakePartitions.done(
                        "{\"deduplicated\":true,\"existing_job_id\":\"019539a4-b68c-7def-8000-1a2b3c4d5e6f\",\"existing_job_state\":\"available\"}")
                : FakePartitions.done("{\"queue\":\"email\",\"state\":\"available\",\"attempt\":0}", load());
    }

    private static @Nullable UniquePolicy unique(byte[] job) {
        try {
            return EnvelopeReader.read(job).terms().unique();
        } catch (UnreadableJob unreadable) {
            throw new IllegalArgumentException(unreadable);
        }
    }

    private Reply enqueue(int jobs) {
        version++;
        if (depth + jobs > bound) return new Reply.Rejected(rejection());
        depth += jobs;
        String tails = "{\"queue\":\"email\",\"state\":\"available\",\"attempt\":0}\n".repeat(jobs);
        return FakePartitions.done(tails + load());
    }

    private Reply check(QueueDemand demand) {
        boolean mayEnter = allowedTypes.isEmpty() || allowedTypes.contains(demand.type());
        if (!mayEnter) return new Reply.Rejected(Rejection.of(ErrorCode.JOB_TYPE_NOT_ALLOWED, "not here"));
        version++;
        if (depth + demand.jobs() > bound) return new Reply.Rejected(rejection());
        return FakePartitions.done("{}", load());
    }

    private Reply job() {
        return FakePartitions.done("{\"id\":\"x\",\"state\":\"completed\",\"queue\":\"email\"}", "{}", load());
    }

    Rejection rejection() {
        return Rejection.of(ErrorCode.QUEUE_FULL, "Queue 'email' has reached its depth bound (%d)".formatted(bound))
                .with("retry_after_seconds", retryAfter)
                .with("queue", NAME)
                .with("depth", depth)
                .with("bound", bound)
                .with("strategy", strategy)
                .with("dimension", "depth")
                .with("pressure", 1.0)
                .with("size_bytes", 300 * depth)
                .with("version", version)
                .with("max_depth", bound);
    }

    String load() {
        return ("{\"load\":{\"queue\":\"email\",\"depth\":%d,\"max_depth\":%d,\"size_bytes\":%d,\"strategy\":\"%s\","
                        + "\"pressure\":0.5,\"warning\":false,\"version\":%d}}")
                .formatted(depth, bound, 300 * depth, strategy, version);
    }

    String status() {
        return ("{\"name\":\"email\",\"state\":\"active\",\"paused\":false,\"created_at\":\"t\",\"updated_at\":\"t\","
                        + "%s\"depth\":%d,\"size_bytes\":%d,\"rejected\":3,\"version\":%d,"
                        + "\"config\":{\"max_depth\":%d,\"strategy\":\"%s\"}}")
                .formatted(
                        allowedTypes.isEmpty() ? "" : "\"restricted\":true,",
                        depth,
                        300 * depth,
                        version,
                        bound,
                        strategy);
    }
}
