package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.Queue;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.QueueConfig;
import org.jspecify.annotations.Nullable;

/** Decides which jobs a queue is for, and which producers may bring them (OJS queue configuration §6.5). */
public final class ProducerAcl {
    /** Returns why this producer cannot bring a job of this type, whatever the capacity; null if it can. */
    @Nullable
    Rejection reject(String type, @Nullable Identity producer, Queue queue) {
        Rejection rejection = rejectType(type, queue);
        String name = producer == null ? null : producer.name();
        if (rejection != null || queue.config().policy().access().allowsProducer(name)) return rejection;
        return Rejection.of(
                        ErrorCode.PERMISSION_DENIED,
                        "Queue '%s' takes jobs of certain producers only, and %s."
                                .formatted(
                                        queue.name,
                                        name == null ? "this one has no name" : "'%s' is none of them".formatted(name)))
                .with("queue", queue.name);
    }

    /** Returns why a job of this type cannot come in, from any producer; null if it can. */
    @Nullable
    Rejection rejectType(String type, Queue queue) {
        Access access = queue.config().policy().access();
        // mutant: allowed-types
        if (!access.allowsType(type))
            return Rejection.of(
                            ErrorCode.JOB_TYPE_NOT_ALLOWED,
                            "Queue '%s' takes no jobs of type '%s', only %s."
                                    .formatted(queue.name, type, shown(access)))
                    .with("queue", queue.name)
                    .with("job_type", type);
        return null;
    }

    private static String shown(Access access) {
        return access.jobTypes() == null ? "none" : String.join(", ", access.jobTypes());
    }

    /** Dead letters go to a queue, and to another one. */
    public static @Nullable Rejection rejectConfig(String queue, QueueConfig config) {
        String target = config.policy().deadLetters().queue();
        if (target == null || (EnvelopeReader.isQueueName(target) && !target.equals(queue))) return null;
        return Rejection.of(
                        ErrorCode.INVALID_REQUEST,
                        target.equals(queue)
                                ? "The dead letters of queue '%s' cannot go to itself.".formatted(target)
                                : "No queue can be named '%s'.".formatted(target))
                .with("field", "dead_letter_queue");
    }
}
