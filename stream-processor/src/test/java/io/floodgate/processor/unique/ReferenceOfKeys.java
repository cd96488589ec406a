package io.floodgate.processor.unique;

import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What becomes of a job with a key, decided the slow and obvious way: by looking at all jobs that there ever were. */
final class ReferenceOfKeys {
    private static final Set<JobState> ENDED = EnumSet.of(JobState.COMPLETED, JobState.CANCELLED, JobState.DISCARDED);

    /** @param states that the job's policy names */
    record Policy(
            String key, Set<JobState> states, @Nullable Duration period, String onConflict) {
        private boolean namesAnEnd() {
            return states.stream().anyMatch(ENDED::contains);
        }
    }

    enum Kind {
        STORED,
        REJECTED,
        IGNORED,
        REPLACES
    }

    /**
     * @param holder the duplicate; null if there is none
     * @param all duplicates, newest first; of a job that replaces, those that have not ended
     */
    record Prediction(Kind kind, @Nullable String holder, List<String> all) {}

    private record Known(String name, Policy policy) {}

    private final List<Known> jobs = new ArrayList<>();

    void stored(String name, Policy policy) {
        jobs.add(new Known(name, policy));
    }

    List<String> names() {
        return jobs.stream().map(Known::name).toList();
    }

    /** @param looking how a job is shown at its own partition */
    Prediction predict(Policy policy, Instant now, Function<String, Shown> looking) {
        List<String> all = new ArrayList<>();
        List<String> unfinished = new ArrayList<>();
        for (Known other : jobs.reversed()) {
            if (!other.policy.key().equals(policy.key())) continue;
            Shown job = looking.apply(other.name);
            JobState state = JobState.parse(job.text("state")).orElseThrow();
            Instant createdAt = Instant.parse(job.text("created_at"));
            Duration own = other.policy.period();
            boolean isForgotten = ENDED.contains(state)
                    && (!other.policy.namesAnEnd()
                            || (own != null && !createdAt.plus(own).isAfter(now)));
            boolean inTime =
                    policy.period() == null || createdAt.plus(policy.period()).isAfter(now);
            if (isForgotten || !inTime || !policy.states().contains(state)) continue;
            all.add(other.name);
            if (!ENDED.contains(state)) unfinished.add(other.name);
        }
        if (policy.onConflict().startsWith("replace")) all = unfinished;
        if (all.isEmpty()) return new Prediction(Kind.STORED, null, all);
        Kind kind = switch (policy.onConflict()) {
            case "reject" -> Kind.REJECTED;
            case "ignore" -> Kind.IGNORED;
            default -> Kind.REPLACES;
        };
        return new Prediction(kind, all.getFirst(), all);
    }
}
