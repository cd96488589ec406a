package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Cancelled;
import io.floodgate.verification.history.Step.Fetched;
import io.floodgate.verification.history.Step.Handed;
import io.floodgate.verification.history.Step.Nacked;
import io.floodgate.verification.history.Step.OfTenant;
import io.floodgate.verification.history.Step.TenantBounded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The most jobs that a tenant had at once over all queues, and the most of them that ran: by the times of events, and by
 * answers alone, which know less.
 */
record TenantPeaks(TenantBounded bounds, Peak jobs, Peak runs, Peak jobsByAnswers, Peak runsByAnswers, long rejected) {
    /** @param job with which the peak was reached */
    record Peak(long height, String job) {}

    /** Something of the job begins, or ends. */
    private record Edge(long at, int by, String job) {
        /** What ends makes room for what begins in the same moment. */
        static final Comparator<Edge> ORDER = Comparator.comparingLong(Edge::at).thenComparingInt(Edge::by);
    }

    /** Returns nothing for a history without such a tenant. */
    static Optional<TenantPeaks> of(History history) {
        return history.all(TenantBounded.class).stream().findFirst().map(bounds -> of(history, bounds));
    }

    private static TenantPeaks of(History history, TenantBounded bounds) {
        Set<String> own = new HashSet<>();
        for (OfTenant job : history.all(OfTenant.class)) own.add(job.id());
        return new TenantPeaks(
                bounds,
                peak(edges(history, own, event -> !OrderLines.ENDED.contains(event.state()))),
                peak(edges(history, own, event -> event.state().equals("active"))),
                peak(jobsByAnswers(history)),
                peak(runsByAnswers(history, own)),
                history.all(OfTenant.class).stream()
                        .filter(job -> job.answer() == Answer.REJECTED)
                        .count());
    }

    private static Peak peak(List<Edge> edges) {
        edges.sort(Edge.ORDER);
        long height = 0;
        Peak peak = new Peak(0, "none");
        for (Edge edge : edges) {
            height += edge.by;
            if (height > peak.height) peak = new Peak(height, edge.job);
        }
        return peak;
    }

    private static List<Edge> edges(History history, Set<String> own, Predicate<EventSeen> counts) {
        List<Edge> edges = new ArrayList<>();
        Set<String> counted = new HashSet<>();
        for (EventSeen event : history.events()) {
            String job = event.job();
            if (!own.contains(job)) continue;
            boolean isChanged = counts.test(event) ? counted.add(job) : counted.remove(job);
            if (isChanged) edges.add(new Edge(event.at().toEpochMilli(), counted.contains(job) ? 1 : -1, job));
        }
        return edges;
    }

    /** From the answer to the request that brings a job to the first one that may end it. */
    private static List<Edge> jobsByAnswers(History history) {
        Map<String, Long> touched = touched(history);
        Map<String, Long> there = new HashMap<>();
        Set<String> uncertain = new HashSet<>();
        for (OfTenant job : history.all(OfTenant.class)) {
            if (job.mayBeDropped()) uncertain.add(job.id());
            if (job.answer() == Answer.OK)
                there.putIfAbsent(job.id(), job.span().ended());
        }
        List<Edge> edges = new ArrayList<>();
        there.forEach((job, from) -> {
            Long to = touched.get(job);
            if (to != null && to > from && !uncertain.contains(job)) add(from, to, job, edges);
        });
        return edges;
    }

    /** The time of the first request that may have ended each job. */
    private static Map<String, Long> touched(History history) {
        Map<String, Long> touched = new HashMap<>();
        for (Acked ack : history.all(Acked.class))
            touched.merge(ack.id(), ack.span().begun(), Math::min);
        for (Nacked nack : history.all(Nacked.class))
            touched.merge(nack.id(), nack.span().begun(), Math::min);
        for (Cancelled end : history.all(Cancelled.class))
            touched.merge(end.id(), end.span().begun(), Math::min);
        return touched;
    }

    /** From the answer to a fetch to the report of the run, or the end of the lease. */
    private static List<Edge> runsByAnswers(History history, Set<String> own) {
        Map<String, Long> reported = new HashMap<>();
        for (Acked ack : history.all(Acked.class))
            reported.merge(ack.id() + ack.lease(), ack.span().begun(), Math::min);
        for (Nacked nack : history.all(Nacked.class))
            reported.merge(nack.id() + nack.lease(), nack.span().begun(), Math::min);
        Map<String, Long> cancelled = new HashMap<>();
        for (Cancelled end : history.all(Cancelled.class))
            cancelled.merge(end.id(), end.span().begun(), Math::min);
        List<Edge> edges = new ArrayList<>();
        for (Fetched fetch : history.all(Fetched.class))
            for (Handed job : fetch.jobs()) {
                if (!own.contains(job.id())) continue;
                long leased = fetch.span().begun() + fetch.visibility().toNanos();
                long to = Math.min(
                        reported.getOrDefault(job.id() + job.lease(), leased),
                        cancelled.getOrDefault(job.id(), leased));
                if (Math.min(to, leased) > fetch.span().ended())
                    add(fetch.span().ended(), Math.min(to, leased), job.id(), edges);
            }
        return edges;
    }

    private static void add(long from, long to, String job, List<Edge> edges) {
        edges.add(new Edge(from, 1, job));
        edges.add(new Edge(to, -1, job));
    }

    String words() {
        return "a tenant had up to %,d of %,d jobs over all queues (%,d by answers alone), and %,d of %,d running (%,d); %,d of its enqueues were rejected"
                .formatted(
                        jobs.height,
                        bounds.maxJobs(),
                        jobsByAnswers.height,
                        runs.height,
                        bounds.maxConcurrency(),
                        runsByAnswers.height,
                        rejected);
    }
}
