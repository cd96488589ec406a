package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.json.WireName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The figures by which lists of queues show, filter and sort: those of a published status, read once. */
public final class QueueRow {
    /** Age of a fetch up to which a queue counts as fetched; statuses have it to the minute. */
    public static final Duration FETCHED_LATELY = Duration.ofMinutes(2);

    public static final Duration WAITS_LONG = Duration.ofMinutes(5);
    public static final long FAILING_MIN_RUNS = 20;
    public static final double FAILING_WARNING = 0.1;
    public static final long UNBOUNDED_DEPTH = 10_000;

    /** A queue that has not changed for this time has no rate any more: its partition publishes nothing meanwhile. */
    private static final Duration RATES_HOLD = Duration.ofMinutes(1);

    /** Age of the last dead letter from which dead letters are no news any more. */
    public static final Duration DEAD_LATELY = Duration.ofDays(1);

    /** Signs that can be seen in a published status alone. An explanation says whether something is wrong. */
    public enum Sign implements WireName {
        FULL(1),
        PAUSED(1 << 1),
        UNFETCHED(1 << 2),
        FAILING(1 << 3),
        OLD(1 << 4),
        STILL(1 << 5),
        LARGE(1 << 6),
        BLOCKED(1 << 7),
        DRAINING(1 << 8),
        UNBOUNDED(1 << 9),
        DEAD(1 << 10),
        DROPPING(1 << 11),
        DEAD_LATELY(1 << 12);

        /** Signs that may show a problem, the most harmful first. */
        private static final List<Sign> BY_HARM =
                List.of(DROPPING, DEAD_LATELY, FAILING, FULL, BLOCKED, PAUSED, UNFETCHED, OLD, STILL, LARGE);

        private final int bit;

        Sign(int bit) {
            this.bit = bit;
        }

        /** Returns whether it may be the sign of a problem: what an explanation is worth asking for. */
        public boolean isSuspect() {
            return isSuspect(bit());
        }

        /** Returns whether one of several may be. */
        public static boolean isSuspect(int bits) {
            return (bits & ~(DRAINING.bit() | UNBOUNDED.bit() | DEAD.bit())) != 0;
        }

        /** The one of several that does most harm. */
        public static Sign worst(int bits) {
            for (Sign sign : BY_HARM) if ((bits & sign.bit) != 0) return sign;
            throw new IllegalArgumentException("no sign of a problem: " + bits);
        }

        /** A bit of its own. */
        public int bit() {
            return bit;
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
    private long dropped;
    private long droppedLastHour;
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
    private @Nullable Instant deadAt;
    private long changedMillis;
    private final long fetchedMillis;
    private final long oldestMillis;
    private final boolean isBounded;
    private final double pressure;

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
                case "dropped" -> dropped = Long.parseLong(members.text());
                case "dropped_last_hour" -> droppedLastHour = Long.parseLong(members.text());
                case "blocked" -> blocked = Long.parseLong(members.text());
                case "completed_last_hour" -> completed = Long.parseLong(members.text());
                case "failed_last_hour" -> failed = Long.parseLong(members.text());
                case "fills_per_second" -> fills = Double.parseDouble(members.text());
                case "drains_per_second" -> drains = Double.parseDouble(members.text());
                case "updated_at" ->
                    changedMillis = Timestamps.parse(members.text())
                            .map(Instant::toEpochMilli)
                            .orElse(0L);
                case "paused" -> paused = members.text().equals("true");
                case "state" -> state = members.text();
                case "level" -> level = members.text();
                case "last_fetched_at" ->
                    fetchedAt = Timestamps.parse(members.text()).orElse(null);
                case "last_dead_at" -> deadAt = Timestamps.parse(members.text()).orElse(null);
                case "oldest_available_at" ->
                    oldest = Timestamps.parse(members.text()).orElse(null);
                default -> {}
            }
        }
        fetchedMillis = fetchedAt == null ? Long.MIN_VALUE / 2 : fetchedAt.toEpochMilli();
        oldestMillis = oldest == null || available == 0 ? Long.MAX_VALUE / 2 : oldest.toEpochMilli();
        isBounded = status.config().isBounded();
        pressure = status.pressure();
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
        return pressure;
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

    public double fills(long nowMillis) {
        return hasRates(nowMillis) ? fills : 0;
    }

    public double drains(long nowMillis) {
        return hasRates(nowMillis) ? drains : 0;
    }

    private boolean hasRates(long nowMillis) {
        return changedMillis + RATES_HOLD.toMillis() >= nowMillis;
    }

    public long completedLastHour() {
        return completed;
    }

    public long failedLastHour() {
        return failed;
    }

    /** Returns the part of the runs of the last hour that have failed, from 0 to 1. */
    public double failedShare() {
        return completed + failed == 0 ? 0 : (double) failed / (double) (completed + failed);
    }

    /** Returns since when the oldest waiting job has waited; null if none waits. */
    public @Nullable Instant oldest() {
        return available > 0 ? oldest : null;
    }

    /** Returns for how many milliseconds that job has waited at this time in epoch milliseconds; 0 if none waits. */
    public double oldestAge(long nowMillis) {
        return oldest() == null ? 0 : nowMillis - oldestMillis;
    }

    public Set<Sign> signs(Instant now) {
        int bits = signBits(now.toEpochMilli());
        Set<Sign> signs = EnumSet.noneOf(Sign.class);
        for (Sign sign : Sign.values()) if ((bits & sign.bit()) != 0) signs.add(sign);
        return signs;
    }

    /** The same as {@link Sign#bit}s: of 100,000 queues, without a set for each. */
    public int signBits(long nowMillis) {
        int bits = 0;
        if (level.equals("full") || level.equals("critical")) bits |= Sign.FULL.bit();
        if (paused) bits |= Sign.PAUSED.bit();
        boolean lately = fetchedMillis + FETCHED_LATELY.toMillis() > nowMillis;
        if (available > 0 && !paused && !lately) bits |= Sign.UNFETCHED.bit();
        if (completed + failed >= FAILING_MIN_RUNS && failedShare() >= FAILING_WARNING) bits |= Sign.FAILING.bit();
        if (!paused && oldestMillis + WAITS_LONG.toMillis() < nowMillis) bits |= Sign.OLD.bit();
        if (active > 0 && drains(nowMillis) == 0) bits |= Sign.STILL.bit();
        if (!isBounded) bits |= Sign.UNBOUNDED.bit();
        if (!isBounded && depth() >= UNBOUNDED_DEPTH) bits |= Sign.LARGE.bit();
        if (blocked > 0) bits |= Sign.BLOCKED.bit();
        if (state.equals("draining")) bits |= Sign.DRAINING.bit();
        if (dead > 0) bits |= Sign.DEAD.bit();
        if (droppedLastHour > 0) bits |= Sign.DROPPING.bit();
        if (deadAt != null && deadAt.toEpochMilli() + DEAD_LATELY.toMillis() > nowMillis)
            bits |= Sign.DEAD_LATELY.bit();
        return bits;
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
                .field("fills_per_second", fills(now.toEpochMilli()))
                .field("drains_per_second", drains(now.toEpochMilli()))
                .field("completed_last_hour", completed)
                .field("failed_last_hour", failed)
                .field("rejected", rejected)
                .field("dropped", dropped)
                .field("dropped_last_hour", droppedLastHour)
                .field("blocked", blocked)
                .optional("last_dead_at", deadAt)
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
