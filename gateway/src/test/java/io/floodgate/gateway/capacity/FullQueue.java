package io.floodgate.gateway.capacity;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.util.List;

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

    FullQueue(long depth, long bound) {
        this.depth = depth;
        this.bound = bound;
    }

    /** What the partition does. */
    Reply carryOut(Command command) {
        return switch (command) {
            case Enqueue c -> enqueue(1);
            case EnqueueBatch c -> enqueue(c.jobs().size());
            case CheckRoom c -> check(c.demand());
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
