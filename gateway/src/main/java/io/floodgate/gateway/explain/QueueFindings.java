package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.QueueStanding.LostWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is true of a queue: no clock, no command, only the facts. */
final class QueueFindings {
    private static final String NOT_FETCHED = "type jobs oldest_available_at job_id version";

    private final QueueStanding queue;
    private final FindingFacts facts;
    private final List<Finding> findings = new ArrayList<>();

    private QueueFindings(QueueStanding queue) {
        this.queue = queue;
        facts = queue.values();
    }

    static List<Finding> of(QueueStanding queue) {
        QueueFindings found = new QueueFindings(queue);
        found.decided();
        found.ownLimit();
        found.dropping();
        found.fetched();
        found.heldByLimits();
        found.workersLost();
        found.stuck();
        found.failing();
        found.deadLetters();
        found.later();
        found.behindKeys();
        found.largeJobs();
        found.oneTenant();
        found.rates();
        if (found.findings.isEmpty())
            found.add(queue.depth() == 0 ? QueueCode.IDLE : QueueCode.KEEPING_UP, found.facts);
        return found.findings;
    }

    private void add(QueueCode code, FindingFacts values) {
        findings.add(code.finding(values));
    }

    private void add(QueueCode code, Severity severity, FindingFacts values) {
        findings.add(code.finding(severity, values));
    }

    private void decided() {
        if (queue.facts().flag("maintenance")) add(QueueCode.MAINTENANCE, facts);
        if (queue.isDraining()) {
            String emptyIn = queue.leaves() > 0 ? Words.seconds(queue.depth() / queue.leaves()) : null;
            add(QueueCode.DRAINING, facts.with("empty_in", emptyIn));
        } else if (queue.isPaused()) {
            boolean holdsUp = queue.isFull() || queue.blocked() > 0;
            Severity ofWaiting = holdsUp ? Severity.PROBLEM : Severity.WARNING;
            add(QueueCode.PAUSED, queue.available() == 0 ? Severity.INFO : ofWaiting, facts);
        }
    }

    private void ownLimit() {
        Facts held = queue.facts().inside("held");
        if (LimitWords.isStopped(held)) add(QueueCode.LIMIT_STOPPED, facts);
        if ("adjusted".equals(held.text("strategy")) && held.time("until") != null) add(QueueCode.LIMIT_FROZEN, facts);
    }

    private void dropping() {
        if (queue.facts().number("dropped_last_hour") == 0) return;
        long recent = queue.recent().number("dropped");
        long seconds = Math.max(1, queue.recent().number("window_seconds"));
        add(
                QueueCode.DROPPING,
                recent > 0 ? Severity.PROBLEM : Severity.WARNING,
                facts.with("window_seconds", seconds)
                        .with("window", Duration.ofSeconds(seconds))
                        .with("rate", (double) recent / seconds));
    }

    private void fetched() {
        if (!queue.handsOut()) return;
        if (queue.available() > 0 && !queue.isFetched())
            add(
                    QueueCode.NOBODY_FETCHES,
                    facts.with("idle_since", orOldest(queue.facts().time("last_fetched_at"))));
        if (queue.isFetched()) {
            notFetched(QueueCode.TYPES_NOT_FETCHED, "types_not_fetched");
            notFetched(QueueCode.VERSIONS_NOT_ACCEPTED, "versions_not_accepted");
        }
        boolean isPassedOver = queue.facts().flag("passed_over") && queue.waitingFetches() == 0;
        if (isPassedOver && !queue.facts().has("held") && queue.hasWaited(Thresholds.WAITS_LONG))
            add(
                    QueueCode.STARVED,
                    facts.with("idle_since", orOldest(queue.facts().time("last_reached_at"))));
    }

    private @Nullable Instant orOldest(@Nullable Instant time) {
        return time == null ? queue.oldest() : time;
    }

    private void notFetched(QueueCode code, String kind) {
        Instant before = queue.now().minus(Thresholds.TYPE_WAITS);
        List<Facts> waiting = queue.facts().inside("ready").list(kind).stream()
                .filter(each -> {
                    Instant oldest = each.time("oldest_available_at");
                    return oldest != null && !oldest.isAfter(before);
                })
                .toList();
        if (waiting.isEmpty()) return;
        Facts first = waiting.getFirst();
        String type = String.valueOf(first.text("type"));
        add(
                code,
                facts.with("type", type)
                        .with("version", first.text("version"))
                        .with("others", waiting.size() - 1)
                        .with(
                                "jobs",
                                waiting.stream()
                                        .mapToLong(each -> each.number("jobs"))
                                        .sum())
                        .with("waits_since", first.time("oldest_available_at"))
                        .with("excluder", excluder(type))
                        .with("not_fetched", Evidence.list(waiting, NOT_FETCHED)));
    }

    /** A worker that would take the type, did it not leave it out. */
    private @Nullable String excluder(String type) {
        for (Facts wanted : queue.facts().list("fetched_types"))
            if (wanted.texts("exclude_types").contains(type) && wanted.has("worker_id"))
                return wanted.text("worker_id");
        return null;
    }

    private void heldByLimits() {
        if (!queue.handsOut() || queue.available() == 0) return;
        Facts held = queue.facts().inside("held");
        boolean isOwn =
                held.has("strategy") && !"adjusted".equals(held.text("strategy")) && !LimitWords.isStopped(held);
        Facts limited = queue.facts().inside("limited");
        boolean areKeys = limited.number("jobs") > Thresholds.MOST_OF_DEPTH * queue.available();
        if (!isOwn && !areKeys) return;
        Facts first = isOwn || limited.list("first").isEmpty()
                ? held
                : limited.list("first").getFirst();
        boolean isLong = queue.hasWaited(Thresholds.WAITS_LONG) || LimitWords.isStopped(first);
        add(
                QueueCode.HELD_BY_LIMITS,
                isLong ? Severity.PROBLEM : Severity.INFO,
                facts.with("key", isOwn ? "queue:" + queue.name() : first.text("key"))
                        .with("limited_jobs", isOwn ? queue.available() : limited.number("jobs"))
                        .with("others", isOwn ? 0 : Math.max(0, limited.number("count") - 1))
                        .with("why", LimitWords.held(first, queue.now())));
    }

    private void workersLost() {
        if (queue.lost().isEmpty()) return;
        long jobs = queue.lost().stream().mapToLong(LostWorker::jobs).sum();
        if (queue.active() > jobs) return;
        LostWorker last =
                queue.lost().stream().max(Comparator.comparing(LostWorker::at)).orElseThrow();
        List<Evidence> workers = queue.lost().stream()
                .limit(10)
                .map(one -> new Evidence()
                        .with("worker_id", one.worker())
                        .with("at", one.at())
                        .with("jobs", one.jobs()))
                .toList();
        add(
                QueueCode.WORKERS_LOST,
                facts.with("worker", last.worker())
                        .with("lost", queue.lost().size())
                        .with("is_one", queue.lost().size() == 1)
                        .with("lost_at", last.at())
                        .with("jobs", jobs)
                        .with("workers", workers)
                        .with("window_seconds", Thresholds.WORKERS_LOST.toSeconds()));
    }

    private void stuck() {
        if (queue.active() == 0 || queue.recentRuns() > 0 || queue.runs().isEmpty()) return;
        Facts longest = queue.runs().getFirst();
        Instant started = longest.time("started_at");
        if (started == null) return;
        Duration runs = Duration.between(started, queue.now());
        Duration average = Duration.ofMillis(queue.averageRunMillis());
        Duration usual = average.multipliedBy(Thresholds.STUCK_TIMES);
        Duration limit = average.isZero()
                ? Thresholds.STUCK_UNKNOWN
                : usual.compareTo(Thresholds.STUCK_MIN) > 0 ? usual : Thresholds.STUCK_MIN;
        if (runs.compareTo(limit) <= 0) return;
        add(
                QueueCode.STUCK,
                facts.with("ran", runs)
                        .with("longest_run_seconds", runs.toSeconds())
                        .with("average", average.isZero() ? null : average)
                        .with("job_id", longest.text("job_id"))
                        .with("worker_id", longest.text("worker_id"))
                        .with("started_at", started)
                        .with("timeout_at", longest.time("timeout_at")));
    }

    private void failing() {
        long runs = queue.recentRuns();
        double share = runs == 0 ? 0 : (double) queue.recent().number("failed") / runs;
        if (runs < Thresholds.FAILING_MIN_RUNS || share < Thresholds.FAILING_WARNING) return;
        boolean isProblem = share >= Thresholds.FAILING_PROBLEM;
        List<Facts> errors = queue.facts().inside("errors").list("first");
        Facts first = errors.isEmpty() ? Facts.NONE : errors.getFirst();
        long window = queue.recent().number("window_seconds");
        add(
                QueueCode.FAILING,
                isProblem ? Severity.PROBLEM : Severity.WARNING,
                facts.with("share", share)
                        .with("ended", runs)
                        .with("type", first.text("type"))
                        .with("message", first.text("message"))
                        .with("job_id", first.text("job_id"))
                        .with("window_seconds", window)
                        .with("window", Duration.ofSeconds(window))
                        .with("may_pause", isProblem && queue.handsOut())
                        .with("error_sample", errors()));
    }

    /** The error types of a sample; null if there are none. */
    private @Nullable Evidence errors() {
        Facts errors = queue.facts().inside("errors");
        if (!errors.has("first")) return null;
        List<Evidence> first = Evidence.list(errors.list("first"), "type count message job_id job_type");
        return errors.pick("sampled").with("first", first == null ? List.of() : first);
    }

    private void deadLetters() {
        long dead = queue.facts().number("dead");
        Instant last = queue.facts().time("last_dead_at");
        if (dead == 0) return;
        boolean isLately = last != null && last.plus(Thresholds.DEAD_LATELY).isAfter(queue.now());
        Severity ofRecent = dead < Thresholds.FEW_JOBS ? Severity.WARNING : Severity.PROBLEM;
        add(QueueCode.DEAD_LETTERS, isLately ? ofRecent : Severity.INFO, facts.with("error_sample", errors()));
    }

    private boolean isMost(long jobs) {
        return jobs > 0 && jobs >= Thresholds.MOST_OF_DEPTH * queue.depth();
    }

    private void later() {
        Facts later = queue.facts().inside("later");
        Instant due = later.time("next_due_at");
        boolean isDue = due != null && !due.isAfter(queue.now());
        FindingFacts next = facts.with("is_due", isDue)
                .with("due_in", due == null || isDue ? null : Duration.between(queue.now(), due));
        if (isMost(queue.retryable()))
            add(
                    QueueCode.WAITING_TO_RETRY,
                    queue.retryable() < Thresholds.FEW_JOBS ? Severity.INFO : Severity.WARNING,
                    next.with("error_sample", errors()));
        if (isMost(queue.scheduled()))
            add(QueueCode.SCHEDULED_LATER, queue.isFull() ? Severity.WARNING : Severity.INFO, next);
        Instant oldest = later.time("oldest_pending_at");
        boolean isOld = oldest != null && !oldest.plus(Thresholds.PENDING_LONG).isAfter(queue.now());
        if (isMost(queue.pending()) && isOld) add(QueueCode.NOT_ACTIVATED, facts);
    }

    private void behindKeys() {
        long behind = queue.facts().number("behind_key");
        List<Facts> longest = queue.facts().inside("keys").list("longest");
        Instant since = queue.facts().time("behind_key_since");
        boolean isLong =
                since != null && !since.plus(Thresholds.KEY_BLOCKED_LONG).isAfter(queue.now());
        if ((!isMost(behind) && !isLong) || longest.isEmpty()) return;
        Facts first = longest.getFirst();
        add(
                QueueCode.BEHIND_KEYS,
                behind < Thresholds.FEW_JOBS && !isLong ? Severity.INFO : Severity.WARNING,
                facts.with("order_key", first.text("order_key"))
                        .with("jobs_of_key", first.number("jobs"))
                        .with("holder", first.text("holder"))
                        .with("longest", Evidence.list(longest, "order_key jobs holder oldest_available_at")));
    }

    private void largeJobs() {
        if (queue.sizeBound() == 0) return;
        long bytes = queue.facts().number("size_bytes");
        double bySize = (double) bytes / queue.sizeBound();
        double byNumber = queue.bound() == 0 ? 0 : (double) queue.depth() / queue.bound();
        if (bySize < Thresholds.SIZE_PRESSURE || bySize <= byNumber) return;
        List<Facts> largest = queue.facts().inside("ready").list("largest");
        add(
                QueueCode.LARGE_JOBS,
                facts.with("share", bySize)
                        .with("each", bytes / Math.max(1, queue.depth()))
                        .with("largest", Evidence.list(largest, "job_id type size_bytes")));
    }

    private void oneTenant() {
        if (!queue.isFull() && queue.blocked() == 0) return;
        String largest = null;
        long jobs = 0;
        for (Map.Entry<String, JsonNode> tenant :
                queue.facts().inside("tenant_depths").json().properties())
            if (tenant.getValue().longValue() > jobs) {
                largest = tenant.getKey();
                jobs = tenant.getValue().longValue();
            }
        if (largest == null || jobs < Thresholds.MOST_OF_DEPTH * queue.depth()) return;
        add(
                QueueCode.ONE_TENANT,
                facts.with("tenant_id", largest).with("jobs", jobs).with("share", (double) jobs / queue.depth()));
    }

    /** How jobs come in, compared with how they leave and with the bound. */
    private void rates() {
        if (queue.isBounded() && queue.depth() > 0 && queue.isFaster()) producersFaster();
        if (queue.isFull() && !queue.isFaster() && queue.leaves() <= 0) add(QueueCode.FULL_AND_STILL, facts);
        Long room = queue.facts().optionalNumber("room_in_seconds");
        if (queue.isFull() && !(queue.isFaster() || queue.leaves() <= 0))
            add(QueueCode.FULL_BUT_DRAINING, facts.with("room_in", room == null ? null : Duration.ofSeconds(room)));
        boolean isOpen = !queue.isBounded() && !queue.isDraining();
        if (isOpen && queue.depth() >= Thresholds.UNBOUNDED_DEPTH && queue.isFaster())
            add(QueueCode.NO_BOUND, moreWorkers().with("more", 2 * queue.depth()));
    }

    private void producersFaster() {
        Double left = queue.bound() == 0 || queue.isFull() ? null : (Double) queue.fullInSeconds();
        boolean isSoon = left != null && left <= Thresholds.FULL_SOON.toSeconds();
        Severity ofFilling = isSoon ? Severity.WARNING : Severity.INFO;
        boolean mayBound = queue.bound() > 0 && !queue.isDraining();
        double surplus = queue.offered() - queue.leaves();
        add(
                QueueCode.PRODUCERS_FASTER,
                queue.isFull() ? Severity.PROBLEM : ofFilling,
                moreWorkers()
                        .with("full_in", left == null ? null : Words.seconds(left))
                        .with("full_in_seconds", left == null ? null : Math.round(left))
                        .with("lasts", mayBound ? Words.seconds(queue.bound() / surplus) : null)
                        .with("more", 2 * queue.bound()));
    }

    /** How many more would keep up: workers of the present size, or jobs at a time if no worker runs jobs. */
    private FindingFacts moreWorkers() {
        double jobs = (queue.offered() - queue.leaves()) * queue.averageRunMillis() / 1_000;
        long workers = queue.facts().inside("runs").number("workers");
        double each = workers == 0 ? 0 : Math.max(1, (double) queue.active() / workers);
        return facts.with("more_jobs", (long) Math.ceil(jobs))
                .with("more_workers", each == 0 ? 0 : (long) Math.ceil(jobs / each));
    }
}
