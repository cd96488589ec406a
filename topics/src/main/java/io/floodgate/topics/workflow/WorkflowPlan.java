package io.floodgate.topics.workflow;

import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.queue.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as it was described, checked and understood: whatever the dialect, it is a tree of steps.
 *
 * @param id that its sender chose; null for one without
 * @param steps by their indices; the first is the workflow itself
 * @param timeout how long it may take; null for as long as it takes
 * @param retention how long it is kept when it has ended; null for as long as this partition keeps what has ended
 * @param failFast a failed step keeps all others from starting
 */
public record WorkflowPlan(
        @Nullable WorkflowId id,
        @Nullable String name,
        List<WorkflowStep> steps,
        @Nullable Duration timeout,
        @Nullable Duration retention,
        boolean failFast) {
    public WorkflowPlan {
        steps = List.copyOf(steps);
    }

    public WorkflowPlan withId(WorkflowId made) {
        return new WorkflowPlan(made, name, steps, timeout, retention, failFast);
    }

    public WorkflowStep root() {
        return steps.getFirst();
    }

    public Shape shape() {
        Shape shape = root().shape();
        if (shape == null) throw new IllegalStateException("a workflow without a shape");
        return shape;
    }

    /** Returns its jobs, in the order of their steps. */
    public List<Envelope> jobs() {
        List<Envelope> jobs = new ArrayList<>();
        for (WorkflowStep step : steps) if (step.job() != null) jobs.add(step.job());
        return jobs;
    }

    /** Returns the jobs whose arguments are known: those for the elements of a list get theirs later. */
    public List<Envelope> wholeJobs() {
        List<Envelope> whole = new ArrayList<>();
        for (WorkflowStep step : steps) if (step.job() != null && step.forEach() == null) whole.add(step.job());
        return whole;
    }

    /** Returns those of its jobs that wait for no other step. */
    public List<Envelope> firstJobs() {
        List<Envelope> first = new ArrayList<>();
        Set<Integer> open = new HashSet<>();
        for (WorkflowStep step : steps) {
            boolean isFree = step.needs().isEmpty() && step.callback() == null && open.contains(step.parent());
            if (!isFree && step.parent() >= 0) continue;
            if (step.job() == null) open.add(step.index());
            else first.add(step.job());
        }
        return first;
    }

    /** The queue that decides which partition is its home: that of the first job. */
    public String firstQueue() {
        return jobs().getFirst().queue();
    }

    /** Returns roughly the bytes of its jobs: what is around the members that were sent is small. */
    public long bytes() {
        return jobs().stream().mapToLong(job -> job.members().length).sum();
    }

    public Set<String> queues() {
        Set<String> queues = new TreeSet<>();
        jobs().forEach(job -> queues.add(job.queue()));
        return queues;
    }

    /** Returns the tenant: all of its jobs are of one. */
    public String tenant() {
        return TenantId.of(jobs().getFirst().members());
    }

    /** Returns the steps that are inside of this one. */
    public List<WorkflowStep> inside(WorkflowStep parent) {
        return steps.stream().filter(step -> step.parent() == parent.index()).toList();
    }
}
