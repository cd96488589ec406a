package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import java.time.Instant;
import java.util.List;

/** Why a job does not run, by whom it is run, or how it ended. */
final class JobExplainer {
    private JobExplainer() {}

    static Explanation explain(JobStanding job) {
        Finding finding = switch (job.state()) {
            case "completed", "cancelled", "discarded" -> EndedJobs.of(job);
            default -> UnfinishedJobs.of(job);
        };
        return new Explanation(
                new Subject("job", job.id()),
                job.now(),
                true,
                String.valueOf(job.queue().facts().text("partition")),
                List.of(finding),
                figures(job),
                new Evidence(),
                job.state().equals("active") && job.worker() == null ? List.of("worker") : List.of());
    }

    private static Evidence figures(JobStanding job) {
        Facts facts = job.job();
        return new Evidence()
                .with("type", job.type())
                .with("queue", facts.text("queue"))
                .with("state", job.state())
                .with("priority", facts.number("priority"))
                .with("attempt", facts.number("attempt"))
                .with("max_attempts", facts.number("max_attempts"))
                .with("enqueued_at", facts.time("enqueued_at"))
                .with("started_at", facts.time("started_at"));
    }

    static Explanation silent(String id, Instant now, Silence silence) {
        Finding finding = new Finding(
                JobCode.PARTITION_SILENT,
                Severity.PROBLEM,
                null,
                "Partition %s of job %s does not answer".formatted(silence.partition(), id),
                "The job is not lost; its state is not known until a processor serves the partition again. %s"
                        .formatted(silence.text()),
                silence.evidence(),
                List.of(silence.advice()));
        return new Explanation(
                new Subject("job", id),
                now,
                false,
                silence.partition().toString(),
                List.of(finding),
                new Evidence(),
                new Evidence(),
                silence.notKnown("job"));
    }

    /** @param lastEvent that this gateway has kept of the job, in words; empty if none */
    static Explanation unknown(String id, Instant now, String from, String lastEvent) {
        return Explanation.unknown(
                new Subject("job", id),
                Finding.of(
                        JobCode.UNKNOWN_ID,
                        Severity.UNKNOWN,
                        "There is no job %s".formatted(id),
                        lastEvent.isEmpty()
                                ? "Either it never existed, or it ended and was removed when its retention was over."
                                : "It is gone. The last event about it that this gateway has kept: %s."
                                        .formatted(lastEvent)),
                now,
                from);
    }
}
