package io.floodgate.processor.simulation;

import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.retry.RetryPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the queues of the {@link Reference} give their jobs, and where their dead letters go. */
final class RefPolicies {
    /**
     * What was decided about a queue, or about all of them; null for what was not.
     *
     * @param allowed the only type that may come in, {@code *} for any
     * @param maxDeadLetters in the queue of dead letters, from here
     */
    record Policy(
            @Nullable Long timeout,
            @Nullable Long visibility,
            @Nullable Integer attempts,
            @Nullable String allowed,
            @Nullable String deadLetters,
            @Nullable Long maxDeadLetters) {
        static final Policy NONE = new Policy(null, null, null, null, null, null);
    }

    private final Reference reference;
    private final Map<String, Policy> decided = new TreeMap<>();
    private final List<RefJob> toMoveToDeadLetters = new ArrayList<>();

    RefPolicies(Reference reference) {
        this.reference = reference;
    }

    /** Whether that changes anything. */
    boolean decide(String queue, Policy policy) {
        Policy before = decided.put(queue, policy);
        return !policy.equals(before == null ? Policy.NONE : before);
    }

    private <T> @Nullable T of(String queue, Function<Policy, @Nullable T> field) {
        T own = field.apply(decided.getOrDefault(queue, Policy.NONE));
        return own != null ? own : field.apply(decided.getOrDefault(QueueConfig.DEFAULT, Policy.NONE));
    }

    boolean allows(String queue, String type) {
        String allowed = of(queue, Policy::allowed);
        return allowed == null || allowed.equals("*") || allowed.equals(type);
    }

    /** Not everything may come in. */
    boolean isRestricted(String queue) {
        String allowed = of(queue, Policy::allowed);
        return allowed != null && !allowed.equals("*");
    }

    /** What the job does not say itself. */
    void give(RefJob job) {
        if (job.timeout == null) job.timeout = of(job.queue, Policy::timeout);
        if (job.visibility == null) job.visibility = of(job.queue, Policy::visibility);
        Integer attempts = of(job.queue, Policy::attempts);
        RetryPolicy usual = RetryPolicy.DEFAULT;
        if (attempts != null && job.retry.equals(usual))
            job.retry = new RetryPolicy(attempts, usual.intervals(), List.of(), usual.deadLetterOnExhaustion());
    }

    /** Its last run has failed; it goes when the step is nearly over. */
    void died(RefJob job) {
        String target = of(job.queue, Policy::deadLetters);
        if (job.deadLetter && job.origin == null && target != null && !target.equals(job.queue))
            toMoveToDeadLetters.add(job);
    }

    void moveToDeadLetters() {
        for (RefJob job : List.copyOf(toMoveToDeadLetters)) {
            String target = String.valueOf(of(job.queue, Policy::deadLetters));
            Long most = of(job.queue, Policy::maxDeadLetters);
            boolean isTooMuch = most != null && most > 0 && reference.depth(target) >= most;
            if (isTooMuch || reject(job, target) != null) continue;
            job.origin = job.queue;
            job.deadSince = reference.now();
            reference.comeAgain(job, target);
        }
        toMoveToDeadLetters.clear();
    }

    /** Why it cannot come into the queue; null if there is room for it now. */
    @Nullable
    String reject(RefJob job, String queue) {
        if (reference.endings.isEnding(queue)) return "rejected QUEUE_DRAINING";
        if (!allows(queue, job.wish.type())) return "rejected JOB_TYPE_NOT_ALLOWED";
        return reference.bounds.makeRoom(
                new RefBounds.Offer(Long.MAX_VALUE, List.of(job.wish.in(queue)), true, reference.now()));
    }
}
