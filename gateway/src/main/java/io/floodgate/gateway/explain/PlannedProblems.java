package io.floodgate.gateway.explain;

import io.floodgate.gateway.cron.CronOperations;
import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.gateway.explain.Problems.Alike;
import io.floodgate.gateway.source.TroubledSinks;
import io.floodgate.gateway.webhook.TroubledSubscriptions;
import io.floodgate.gateway.workflow.WorkflowAnswer;
import io.floodgate.gateway.workflow.WorkflowOperations;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Schedules, workflows, subscriptions of events, sources and sinks that need attention. Partitions say which may, each a bounded number; of these a few at a time are
 * explained, and what was explained is kept for a while.
 */
public final class PlannedProblems {
    /** Each costs a command or two. */
    static final int MAX_AT_ONCE = 5;

    private static final int STEPS = 300;
    private static final Duration KEPT = Duration.ofSeconds(30);

    private record Known(List<Problem> problems, long since) {}

    private interface Explained {
        Explanation get() throws CommandFailed, RejectedException;
    }

    private final CronOperations crons;
    private final WorkflowOperations workflows;
    private final TroubledSubscriptions subscriptions;
    private final TroubledSinks sinks;
    private final SourceExplainer sources;
    private final Clock clock;
    private final LongSupplier nanos;
    private Map<Subject, Known> known = new HashMap<>();
    private int asked;
    private Known ofTargets = new Known(List.of(), Long.MIN_VALUE);

    /** @param nanos a clock like {@code System.nanoTime()} */
    public PlannedProblems(
            CronOperations crons,
            WorkflowOperations workflows,
            TroubledSubscriptions subscriptions,
            TroubledSinks sinks,
            SourceExplainer sources,
            Clock clock,
            LongSupplier nanos) {
        this.crons = crons;
        this.subscriptions = subscriptions;
        this.sinks = sinks;
        this.sources = sources;
        this.workflows = workflows;
        this.clock = clock;
        this.nanos = nanos;
    }

    /** @param partitions as they describe themselves */
    synchronized Problems find(List<Facts> partitions) {
        Map<Subject, Known> now = new HashMap<>();
        Map<Alike, Long> alike = new HashMap<>();
        List<Problem> found = new ArrayList<>();
        asked = 0;
        for (Facts partition : partitions) {
            schedules(partition.inside("failing_schedules"), now, alike);
            failed(partition.inside("failed_workflows"), found, alike);
            for (String id : partition.texts("quiet_workflows"))
                explain(new Subject("workflow", id), now, () -> workflow(id));
        }
        known = now;
        now.values().forEach(each -> found.addAll(each.problems));
        found.addAll(targets());
        found.addAll(sources.problems());
        return new Problems(found, 0, alike);
    }

    private void schedules(Facts failing, Map<Subject, Known> now, Map<Alike, Long> alike) {
        int before = now.size();
        for (String name : failing.texts("first"))
            explain(new Subject("schedule", name), now, () -> {
                Facts schedule = Facts.of(crons.figures(name));
                return ScheduleExplainer.explain(schedule, clock.instant(), "its partition");
            });
        long more = failing.number("count") - (now.size() - before);
        if (more > 0) alike.merge(new Alike("schedule", ScheduleCode.FAILS), more, Long::sum);
    }

    private void failed(Facts failed, List<Problem> found, Map<Alike, Long> alike) {
        List<Facts> first = failed.list("first");
        Instant now = clock.instant();
        for (Facts workflow : first)
            found.addAll(Problem.of(WorkflowExplainer.explain(workflow, List.of(), now, "its partition"), 0));
        long more = failed.number("count") - first.size();
        if (more > 0) alike.merge(new Alike("workflow", WorkflowCode.FAILED), more, Long::sum);
    }

    /** Of what events go to. */
    private List<Problem> targets() {
        long now = nanos.getAsLong();
        boolean isFresh = ofTargets.since != Long.MIN_VALUE && now - ofTargets.since < KEPT.toNanos();
        if (isFresh) return ofTargets.problems;
        try {
            List<Problem> found = new ArrayList<>();
            for (byte[] subscription : subscriptions.find())
                found.addAll(Problem.of(
                        WebhookExplainer.explain(Facts.of(subscription), clock.instant(), "its registry"), 0));
            for (byte[] sink : sinks.find())
                found.addAll(Problem.of(SinkExplainer.explain(Facts.of(sink), clock.instant(), "its registry"), 0));
            ofTargets = new Known(List.copyOf(found), now);
        } catch (CommandFailed | RejectedException silent) {
            // The explanation of the server says which partition does not answer.
        }
        return ofTargets.problems;
    }

    private Explanation workflow(String id) throws CommandFailed, RejectedException {
        WorkflowAnswer workflow = workflows.standing(JobId.parse(id).orElseThrow(), STEPS);
        List<Facts> steps = workflow.steps().stream().map(Facts::new).toList();
        return WorkflowExplainer.explain(new Facts(workflow.head()), steps, clock.instant(), "its partition");
    }

    private void explain(Subject subject, Map<Subject, Known> now, Explained explained) {
        Known last = known.get(subject);
        boolean isFresh = last != null && nanos.getAsLong() - last.since < KEPT.toNanos();
        if (isFresh || (last != null && asked >= MAX_AT_ONCE)) now.put(subject, last);
        if (isFresh || asked >= MAX_AT_ONCE) return;
        asked++;
        try {
            now.put(subject, new Known(Problem.of(explained.get(), 0), nanos.getAsLong()));
        } catch (CommandFailed | RejectedException gone) {
            // It has gone, or a partition does not answer, which the explanation of the server says.
        }
    }
}
