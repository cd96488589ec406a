package io.floodgate.processor.batch;

import io.floodgate.topics.JobState;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.UniqueMessage.KeyVerdict;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.unique.OnConflict;
import io.floodgate.topics.unique.UniquePolicy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Jobs of one batch that are duplicates of each other. */
final class OwnDuplicates {
    private OwnDuplicates() {}

    /** Notes those that are ignored; what the batch is rejected with if there are others. */
    static @Nullable Rejection find(List<BatchMember> members, KeyPhase phase, Routing routing, Instant now) {
        Map<String, Integer> first = new TreeMap<>();
        for (int i = 0; i < members.size(); i++) {
            UniquePolicy policy = members.get(i).envelope().terms().unique();
            Integer other = policy == null ? null : first.putIfAbsent(policy.fingerprint(), i);
            if (policy == null || other == null) continue;
            if (policy.onConflict() != OnConflict.IGNORE)
                return rejection(policy.in(Identity.spaceOf(phase.by)), other, i);
            BatchMember holder = members.get(other);
            phase.ignored.put(
                    i,
                    new KeyVerdict(
                            i,
                            true,
                            holder.id(),
                            routing.ofQueue(holder.envelope().queue()),
                            firstState(holder.envelope(), now),
                            null));
        }
        return null;
    }

    private static Rejection rejection(UniquePolicy policy, int first, int second) {
        return Rejection.of(
                        policy.onConflict().replaces() ? ErrorCode.INVALID_REQUEST : ErrorCode.DUPLICATE,
                        "Batch rejected: the jobs at index %d and %d are duplicates of each other."
                                .formatted(first, second))
                .with("index", second)
                .with("duplicate_of_index", first)
                .with("uniqueness_key", policy.fingerprint());
    }

    private static JobState firstState(Envelope job, Instant now) {
        if (job.terms().pending()) return JobState.PENDING;
        var at = job.terms().scheduledAt();
        return at != null && at.resolve(now).isAfter(now) ? JobState.SCHEDULED : JobState.AVAILABLE;
    }
}
