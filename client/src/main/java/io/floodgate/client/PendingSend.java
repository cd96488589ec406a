package io.floodgate.client;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A job, or jobs to store together, in a line: a caller waits for them, or they are kept until stored. */
final class PendingSend {
    /** The server has the jobs. */
    record Taken(boolean wasThere, Optional<QueuePressure> pressure) {}

    final List<OutgoingJob> jobs;
    final long added;
    final CompletableFuture<Taken> ended = new CompletableFuture<>();
    private final long deadline;
    private final boolean kept;
    private final OptionalLong sequence;
    /** Guarded by its line. */
    private int tries;

    private boolean unknown;

    private PendingSend(List<OutgoingJob> jobs, long added, long deadline, boolean kept, OptionalLong sequence) {
        this.jobs = List.copyOf(jobs);
        this.added = added;
        this.deadline = deadline;
        this.kept = kept;
        this.sequence = sequence;
    }

    static PendingSend awaited(List<OutgoingJob> jobs, long now, long deadline) {
        return new PendingSend(jobs, now, deadline, false, OptionalLong.empty());
    }

    /** @param sequence under which it is on disk, if it is */
    static PendingSend kept(OutgoingJob job, long now, OptionalLong sequence) {
        return new PendingSend(List.of(job), now, Long.MAX_VALUE, true, sequence);
    }

    /** Jobs that are to be stored together travel alone. */
    boolean isWhole() {
        return jobs.size() > 1;
    }

    boolean isKept() {
        return kept;
    }

    OptionalLong sequence() {
        return sequence;
    }

    boolean isTried() {
        return tries > 0;
    }

    /** Returns whether a try may have stored the jobs. */
    boolean isUnknown() {
        return unknown;
    }

    void tried(SendResult answer) {
        tries++;
        unknown |= answer instanceof SendResult.Unavailable none && none.unknown();
    }

    /**
     * Returns whether the job may be tried again. A job that is kept is tried without end, unless it makes the server
     * fail itself.
     */
    boolean mayTryAgain(SendResult answer, int most) {
        boolean isItsFault = answer instanceof SendResult.Rejected rejected && !rejected.backpressure();
        return (kept && !isItsFault) || tries <= most;
    }

    /** Returns until when the job waits; {@link Long#MAX_VALUE} for without end. */
    long deadline() {
        return deadline;
    }

    /** Returns whether its deadline is before this time. */
    boolean endsBefore(long time) {
        return deadline < time;
    }

    OutgoingJob first() {
        return jobs.getFirst();
    }

    @Nullable
    String jobId() {
        return isWhole() ? null : first().id().toString();
    }

    long bytes() {
        return jobs.stream().mapToLong(job -> job.json().length).sum();
    }

    /** Returns whether the server has these very jobs already, if it says that there is one of this id. */
    boolean isMeantBy(@Nullable String existing) {
        if (existing == null) return false;
        if (!isWhole()) return first().id().toString().equals(existing);
        // No other producer can have sent jobs with ids that were made here, and these only ever travel together.
        return jobs.stream().allMatch(OutgoingJob::madeId)
                && jobs.stream().anyMatch(job -> job.id().toString().equals(existing));
    }
}
