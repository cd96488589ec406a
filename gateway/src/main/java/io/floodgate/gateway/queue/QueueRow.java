package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What lists of queues show, filter and sort by: the figures of a published status, read once. */
public final class QueueRow {
    /** Within this time of a fetch, a queue counts as fetched; statuses tell it to the minute. */
    public static final Duration FETCHED_LATELY = Duration.ofMinutes(2);

    public static final Duration WAITS_LONG = Duration.ofMinutes(5);
    public static final long FAILING_MIN_RUNS = 20;
    public static final double FAILING_WARNING = 0.1;
    public static final long UNBOUNDED_DEPTH = 10_000;

    /** What can be seen from a published status alone. An explanation says whether something is wrong. */
    public enum Sign {
        FULL,
        PAUSED,
        UNFETCHED,
        FAILING,
        OLD,
        STILL,
        LARGE,
        BLOCKED,
        DRAINING,
        UNBOUNDED,
        DEAD;

        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether it may be the sign of a problem: what an explanation is worth asking for. */
        public boolean isSuspect() {
            return this != DRAINING && this != UNBOUNDED && this != DEAD;
        }
    }

    private final PublishedStatus status;
    private long available;
    private long active;
    private long scheduled;
    private long retryable;
    private long pending;
    private long dead;
    private long rejected;
    private long blocked;
    private long completed;
    private long failed;
    private double fills;
    private double drains;
    private boolean paused;
    private String state = "";
    private String level = "";
    private @Nullable Instant fetchedAt;
    private @Nullable Instant oldest;

    QueueRow(PublishedStatus status) {
        this.status = status;
        MemberWalk members = new MemberWalk(status.json());
        while (members.next()) {
            switch (members.name()) {
                case "available" -> available = Long.parseLong(members.text());
                case "active" -> active = Long.parseLong(members.text());
                case "scheduled" -> scheduled = Long.parseLong(members.text());
                case "retryable" -> retryable = Long.parseLong(members.text());
                case "pending" -> pending = Long.parseLong(members.text());
                case "dead" -> dead = Long.parseLong(members.text());
                case "rejected" -> rejected = Long.parseLong(members.text());
                case "blocked" -> blocked = Long.parseLong(members.text());
                case "completed_last_hour" -> completed = Long.parseLong(members.text());
                case "failed_last_hour" -> failed = Long.parseLong(members.text());
                case "fills_per_second" -> fills = Double.parseDouble(members.text());
                case "drains_per_second" -> drains = Double.parseDouble(members.text());
                case "paused" -> paused = members.text().equals("true");
                case "state" -> state = members.text();
                case "level" -> level = members.text();
                case "last_fetched_at" ->
                    fetchedAt = Timestamps.parse(members.text()).orElse(null);
                case "oldest_available_at" ->
                    oldest = Timestamps.parse(members.text()).orElse(null);
                default -> {}
            }
        }
    }

    boolean isOf(PublishedStatus other) {
        return status.version() == other.version();
    }

    public PublishedStatus status() {
        return status;
    }

    public String name() {
        return status.name();
    }

    public long depth() {
        return status.room().depth();
    }

    public double pressure() {
        return status.pressure();
    }

    public long jobs(String inState) {
        return switch (inState) {
            case "available" -> available;
            case "active" -> active;
            case "scheduled" -> scheduled;
            case "retryable" -> retryable;
            case "pending" -> pending;
            case "dead" -> dead;
            default -> throw new IllegalArgumentException(inState);
        };
    }

    public double fills() {
        return fills;
    }

    public double drains() {
        return drains;
    }

    public long completedLastHour() {
        return completed;
    }

    public long failedLastHour() {
        return failed;
    }

    /** Of the runs of the last hour, from 0 to 1. */
    public double failedShare() {
        return completed + failed == 0 ? 0 : (double) failed / (double) (completed + failed);
    }

    /** Since when the job has waited that has waited longest; null if none waits. */
    public @Nullable Instant oldest() {
        return available > 0 ? oldest : null;
    }

    /** For how many milliseconds that job has waited; 0 if none waits. */
    public double oldestAge(Instant now) {
        Instant since = oldest();
        return since == null ? 0 : Duration.between(since, now).toMillis();
    }

    public Set<Sign> signs(Instant now) {
        Set<Sign> signs = EnumSet.noneOf(Sign.class);
        if (level.equals("full") || level.equals("critical")) signs.add(Sign.FULL);
        if (paused) signs.add(Sign.PAUSED);
        boolean lately = fetchedAt != null && fetchedAt.plus(FETCHED_LATELY).isAfter(now);
        if (available > 0 && !paused && !lately) signs.add(Sign.UNFETCHED);
        if (completed + failed >= FAILING_MIN_RUNS && failedShare() >= FAILING_WARNING) signs.add(Sign.FAILING);
        Instant since = oldest();
        if (since != null && !paused && since.plus(WAITS_LONG).isBefore(now)) signs.add(Sign.OLD);
        if (active > 0 && drains == 0) signs.add(Sign.STILL);
        boolean bounded = status.config().isBounded();
        if (!bounded) signs.add(Sign.UNBOUNDED);
        if (!bounded && depth() >= UNBOUNDED_DEPTH) signs.add(Sign.LARGE);
        if (blocked > 0) signs.add(Sign.BLOCKED);
        if (state.equals("draining")) signs.add(Sign.DRAINING);
        if (dead > 0) signs.add(Sign.DEAD);
        return signs;
    }

    /** A line of a list. */
    public void write(Instant now, JsonOut out) {
        var config = status.config();
        out.beginObject()
                .field("name", name())
                .field("state", paused ? "paused" : state)
                .field("depth", depth())
                .field("available", available)
                .field("active", active)
                .field("scheduled", scheduled)
                .field("retryable", retryable)
                .field("pending", pending)
                .field("dead", dead)
                .field("fills_per_second", fills)
                .field("drains_per_second", drains)
                .field("completed_last_hour", completed)
                .field("failed_last_hour", failed)
                .field("rejected", rejected)
                .field("blocked", blocked)
                .optional("oldest_available_at", oldest())
                .optional("last_fetched_at", fetchedAt);
        if (config.isBounded()) {
            out.fieldRaw(
                    "pressure", QueueLoad.shown(Double.toString(pressure())).getBytes(StandardCharsets.US_ASCII));
            ConfigView.bounds(config, out);
        }
        out.field("signs", signs(now).stream().map(Sign::wire).toList()).endObject();
    }
}
