package io.floodgate.verification.workflow;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The retries that may have had an effect on one workflow. */
final class WorkflowRetries {
    /**
     * A retry that a client has sent, and that was not rejected for certain.
     *
     * @param subject id of a workflow, id of a job, or name of a queue of which all dead letters are retried
     * @param until when it was answered; {@link Instant#MAX} if it may be executed at any later time
     */
    record Retry(String subject, Instant sent, Instant until) {
        Retry {
            // As exact as the times of events.
            sent = sent.truncatedTo(ChronoUnit.MILLIS);
        }

        /** Whether it may have been executed at any time between these. */
        boolean isWithin(Instant from, Instant to) {
            return !sent.isAfter(to) && !until.isBefore(from);
        }
    }

    private final List<Retry> whole;
    private final List<Retry> all;
    private final Map<String, List<Retry>> bySubject;

    WorkflowRetries(String workflow, List<StepEvent> events, Map<String, List<Retry>> bySubject) {
        this.bySubject = bySubject;
        whole = of(workflow);
        Set<String> subjects = new TreeSet<>();
        for (StepEvent event : events) {
            if (event.isOfHome()) continue;
            subjects.add(event.job());
            subjects.add(event.queue());
        }
        all = new ArrayList<>(whole);
        for (String subject : subjects) all.addAll(of(subject));
    }

    private List<Retry> of(String subject) {
        return bySubject.getOrDefault(subject, List.of());
    }

    /** Whether the workflow may have been retried between these. */
    boolean ofWorkflow(Instant from, Instant to) {
        return whole.stream().anyMatch(retry -> retry.isWithin(from, to));
    }

    /** Whether the workflow, or any of its jobs, may have been retried by then. */
    boolean anyUntil(Instant to) {
        return all.stream().anyMatch(retry -> !retry.sent().isAfter(to));
    }

    /** Whether this job may have been retried by then, by its id or with all of its queue. */
    boolean ofJob(StepEvent revived) {
        return List.of(revived.job(), revived.queue()).stream()
                .flatMap(subject -> of(subject).stream())
                .anyMatch(retry -> !retry.sent().isAfter(revived.at()));
    }
}
