package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How jobs come into a queue, compared with how they leave it and with its bounds. */
final class IntakeFindings {
    private static final String FULL = "docs/how-to/runbooks/queue-is-full.md";
    private static final String GROWS = "docs/how-to/runbooks/queue-grows.md";

    private IntakeFindings() {}

    /** What becomes of jobs that do not fit. */
    private static Evidence flow(QueueStanding queue) {
        Facts facts = queue.facts();
        return new Evidence()
                .with("offered_per_second", queue.offered())
                .with("leave_per_second", queue.leaves())
                .with("full_since", facts.time("full_since"))
                .with("rejected", facts.number("rejected"))
                .with("dropped", facts.number("dropped"))
                .with("waiting_producers", queue.blocked() == 0 ? null : (Object) queue.blocked());
    }

    static @Nullable Finding dropping(QueueStanding queue) {
        long recent = queue.recent().number("dropped");
        long lastHour = queue.facts().number("dropped_last_hour");
        if (lastHour == 0) return null;
        long seconds = Math.max(1, queue.recent().number("window_seconds"));
        String lately = recent == 0
                ? "%s within the last hour".formatted(Words.number(lastHour))
                : "%s in %s, %s"
                        .formatted(
                                Words.number(recent),
                                Words.duration(Duration.ofSeconds(seconds)),
                                Words.rate((double) recent / seconds));
        return new Finding(
                QueueCode.DROPPING,
                recent > 0 ? Severity.PROBLEM : Severity.WARNING,
                queue.facts().time("full_since"),
                "Queue '%s' drops jobs: %s".formatted(queue.name(), lately),
                "It is full, and its strategy drops the oldest jobs for new ones. They never run: %s so far."
                        .formatted(Words.count(queue.facts().number("dropped"), "job")),
                new Evidence()
                        .with("dropped", queue.facts().number("dropped"))
                        .with("dropped_last_hour", lastHour)
                        .with("dropped_lately", recent)
                        .with("window_seconds", seconds),
                List.of(Advice.read(
                        "Start more workers, raise the bound, or set the strategy to reject or block.", FULL)));
    }

    static @Nullable Finding producersFaster(QueueStanding queue) {
        if (!queue.isBounded() || queue.depth() == 0 || !queue.isFaster()) return null;
        double surplus = queue.offered() - queue.leaves();
        Double left = queue.bound() == 0 ? null : (Double) queue.fullInSeconds();
        Severity severity = severity(queue, left);
        String title = queue.isFull()
                ? "Queue '%s' is full: %s are offered, %s leave"
                        .formatted(queue.name(), Words.jobRate(queue.offered()), Words.rate(queue.leaves()))
                : "Queue '%s' fills: %s are offered, %s leave%s"
                        .formatted(
                                queue.name(),
                                Words.jobRate(queue.offered()),
                                Words.rate(queue.leaves()),
                                left == null ? "" : "; full in about %s".formatted(Words.seconds(left)));
        Evidence evidence = flow(queue)
                .with("full_in_seconds", queue.isFull() || left == null ? null : (Object) Math.round(left))
                .with("active", queue.active())
                .with("avg_duration_ms", queue.averageRunMillis() == 0 ? null : (Object) queue.averageRunMillis());
        return new Finding(
                QueueCode.PRODUCERS_FASTER,
                severity,
                queue.facts().time("full_since"),
                title,
                fullText(queue),
                evidence,
                faster(queue, surplus));
    }

    private static Severity severity(QueueStanding queue, @Nullable Double secondsLeft) {
        if (queue.isFull()) return Severity.PROBLEM;
        boolean isSoon = secondsLeft != null && secondsLeft <= Thresholds.FULL_SOON.toSeconds();
        return isSoon ? Severity.WARNING : Severity.INFO;
    }

    private static String fullText(QueueStanding queue) {
        if (!queue.isFull())
            return "It has %s of %s. Offered are all jobs that producers send, also those that are sent again."
                    .formatted(Words.count(queue.depth(), "job"), queue.shownBound());
        Instant since = queue.facts().time("full_since");
        String reached = since == null
                ? queue.isAtBound()
                        ? "It is at its bound of %s.".formatted(queue.shownBound())
                        : "It has %s of %s: each job that leaves makes room for the next one only."
                                .formatted(Words.number(queue.depth()), queue.shownBound())
                : "It reached its bound of %s at %s, %s ago."
                        .formatted(queue.shownBound(), queue.shownAt(since), queue.ago(since));
        return reached + " " + fate(queue);
    }

    private static String fate(QueueStanding queue) {
        Facts facts = queue.facts();
        if (queue.blocked() > 0) {
            Instant first = facts.time("blocked_since");
            return "%s for capacity%s."
                    .formatted(
                            Words.producersWait(queue.blocked()),
                            first == null ? "" : ", the first for " + queue.ago(first));
        }
        if (facts.number("dropped") > 0)
            return "Old jobs make room for new ones: %s so far.".formatted(Words.count(facts.number("dropped"), "job"));
        return "%s rejected so far."
                .formatted(
                        facts.number("rejected") == 1
                                ? "1 job was"
                                : Words.number(facts.number("rejected")) + " jobs were");
    }

    private static List<Advice> faster(QueueStanding queue, double surplus) {
        List<Advice> advice = new ArrayList<>();
        advice.add(Advice.read(moreWorkers(queue, surplus), FULL));
        if (queue.bound() > 0 && !queue.isDraining()) {
            long more = 2 * queue.bound();
            String lasts = Words.seconds(queue.bound() / surplus);
            advice.add(Advice.of(
                    "Or raise the bound: %s more only buy about %s."
                            .formatted(Words.count(queue.bound(), "job"), lasts),
                    bound(queue, more)));
        }
        return advice;
    }

    private static String moreWorkers(QueueStanding queue, double surplus) {
        double handlers = surplus * queue.averageRunMillis() / 1_000;
        long workers = queue.facts().inside("runs").number("workers");
        if (queue.averageRunMillis() == 0) return "Start more workers for it, or send fewer jobs.";
        double each = workers == 0 ? 0 : Math.max(1, (double) queue.active() / workers);
        if (each == 0)
            return "Start more workers for it: about %s at a time would keep up, if no rejected job is sent twice."
                    .formatted(Words.count((long) Math.ceil(handlers), "more job"));
        return "Start more workers for it: about %s of the present size would keep up, if no rejected job is sent twice."
                .formatted(Words.count((long) Math.ceil(handlers / each), "more worker"));
    }

    private static Action bound(QueueStanding queue, long jobs) {
        return new Action(
                "queue.bound", "PUT", queue.path() + "/config", "{\"max_size\":%d}".formatted(jobs), Action.CHANGE);
    }

    static @Nullable Finding fullAndStill(QueueStanding queue) {
        if (!queue.isFull() || queue.isFaster() || queue.leaves() > 0) return null;
        return new Finding(
                QueueCode.FULL_AND_STILL,
                Severity.WARNING,
                queue.facts().time("full_since"),
                "Queue '%s' is full, and no job has left it for 5 min".formatted(queue.name()),
                fullText(queue),
                flow(queue),
                List.of(Advice.read("See the other findings: they say what its jobs wait for.", FULL)));
    }

    static @Nullable Finding fullButDraining(QueueStanding queue) {
        if (!queue.isFull() || queue.isFaster() || queue.leaves() <= 0) return null;
        Long room = queue.facts().optionalNumber("room_in_seconds");
        String when = room == null ? "" : ": room in about %s".formatted(Words.duration(Duration.ofSeconds(room)));
        return new Finding(
                QueueCode.FULL_BUT_DRAINING,
                Severity.INFO,
                queue.facts().time("full_since"),
                "Queue '%s' is full and drains%s".formatted(queue.name(), when),
                "A burst filled it; now %s leave and %s are offered. %s"
                        .formatted(Words.jobRate(queue.leaves()), Words.rate(queue.offered()), fate(queue)),
                flow(queue).with("room_in_seconds", room),
                List.of());
    }

    static @Nullable Finding largeJobs(QueueStanding queue) {
        if (queue.sizeBound() == 0) return null;
        long bytes = queue.facts().number("size_bytes");
        double bySize = (double) bytes / queue.sizeBound();
        double byNumber = queue.bound() == 0 ? 0 : (double) queue.depth() / queue.bound();
        if (bySize < Thresholds.SIZE_PRESSURE || bySize <= byNumber) return null;
        return new Finding(
                QueueCode.LARGE_JOBS,
                Severity.WARNING,
                null,
                "Queue '%s' has used %s of its bound in bytes".formatted(queue.name(), Words.percent(bySize)),
                "%s take %s of %s: %s each on average."
                        .formatted(
                                Words.count(queue.depth(), "job"),
                                Words.bytes(bytes),
                                Words.bytes(queue.sizeBound()),
                                Words.bytes(bytes / Math.max(1, queue.depth()))),
                new Evidence()
                        .with("size_bytes", bytes)
                        .with("max_size_bytes", queue.sizeBound())
                        .with(
                                "largest",
                                queue.facts().inside("ready").list("largest").stream()
                                        .map(job -> new Evidence()
                                                .with("job_id", job.text("job_id"))
                                                .with("type", job.text("type"))
                                                .with("size_bytes", job.number("size_bytes")))
                                        .toList()),
                List.of(Advice.read("Store the data elsewhere and put references into the jobs.", FULL)));
    }

    static @Nullable Finding oneTenant(QueueStanding queue) {
        Facts tenants = queue.facts().inside("tenant_depths");
        if (!queue.isFull() && queue.blocked() == 0) return null;
        String largest = null;
        long jobs = 0;
        for (Map.Entry<String, JsonNode> tenant : tenants.json().properties())
            if (tenant.getValue().longValue() > jobs) {
                largest = tenant.getKey();
                jobs = tenant.getValue().longValue();
            }
        if (largest == null || jobs < Thresholds.MOST_OF_DEPTH * queue.depth()) return null;
        return new Finding(
                QueueCode.ONE_TENANT,
                Severity.WARNING,
                null,
                "Tenant '%s' has %s of the jobs of queue '%s'"
                        .formatted(largest, Words.percent((double) jobs / queue.depth()), queue.name()),
                "The queue is full, so that jobs of other tenants do not get in.",
                new Evidence().with("tenant_id", largest).with("jobs", jobs).with("depth", queue.depth()),
                List.of(Advice.read(
                        "Set a bound for the tenant: PUT /ojs/v1/admin/tenants/%s".formatted(largest), FULL)));
    }

    static @Nullable Finding noBound(QueueStanding queue) {
        if (queue.isBounded() || queue.isDraining()) return null;
        if (queue.depth() < Thresholds.UNBOUNDED_DEPTH || !queue.isFaster()) return null;
        return new Finding(
                QueueCode.NO_BOUND,
                Severity.WARNING,
                null,
                "Queue '%s' has no bound and grows: %s, %s come, %s leave"
                        .formatted(
                                queue.name(),
                                Words.count(queue.depth(), "job"),
                                Words.jobRate(queue.offered()),
                                Words.rate(queue.leaves())),
                "Nothing stops it before the disk or the memory of its partition is full.",
                new Evidence()
                        .with("depth", queue.depth())
                        .with("size_bytes", queue.facts().number("size_bytes"))
                        .with("offered_per_second", queue.offered())
                        .with("leave_per_second", queue.leaves()),
                List.of(
                        Advice.read(moreWorkers(queue, queue.offered() - queue.leaves()), GROWS),
                        Advice.of("Set a bound: twice what is in it now.", bound(queue, 2 * queue.depth()))));
    }
}
