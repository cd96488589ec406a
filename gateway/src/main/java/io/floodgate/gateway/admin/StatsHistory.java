package io.floodgate.gateway.admin;

import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Timestamps;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts of jobs, by minute and by hour, as this gateway has read them from the events since it began: of all queues
 * together for a day and a month, of single queues for a shorter time. It is kept in memory alone.
 */
public final class StatsHistory {
    private static final int MINUTES = 24 * 60;
    private static final int HOURS = 30 * 24;
    private static final int MINUTES_OF_A_QUEUE = 3 * 60;
    private static final int HOURS_OF_A_QUEUE = 7 * 24;

    /** Further queues are counted with all others only, until they are busier than one of these. */
    private static final int MOST_QUEUES = 200;

    /** The number of other queues that are compared, in each minute. */
    private static final int MOST_OTHERS = 10_000;

    /** A queue takes the place of another if it is at least this many times as busy: each exchange loses a history. */
    private static final int BUSIER = 2;

    private static final int LATELY_MINUTES = 10;

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private static final class Of {
        final Series minutes;
        final Series hours;

        Of(int minutes, int hours) {
            this.minutes = new Series(MINUTE, minutes);
            this.hours = new Series(HOUR, hours);
        }
    }

    private final Instant since;
    private final Of all = new Of(MINUTES, HOURS);
    private final Map<String, Of> byQueue = new HashMap<>();
    /** Events of queues without a history, in the latest minute that has any. */
    private final Map<String, Long> others = new HashMap<>();

    private long minute = Long.MIN_VALUE;

    public StatsHistory(Clock clock) {
        since = clock.instant();
    }

    /** Returns the time before which nothing is known. */
    Instant since() {
        return since;
    }

    public synchronized void count(OjsEvent event) {
        Interval.What what = what(event.type());
        if (what == null) return;
        Instant time = Timestamps.parse(event.time()).orElse(null);
        if (time == null) return;
        long millis = what == Interval.What.PROCESSED ? duration(event.json()) : 0;
        count(all, time, what, millis);
        String queue = event.queue();
        if (queue == null) return;
        begin(time);
        Of own = byQueue.get(queue);
        if (own == null && byQueue.size() < MOST_QUEUES) own = open(queue);
        if (own != null) count(own, time, what, millis);
        else if (others.size() < MOST_OTHERS || others.containsKey(queue)) others.merge(queue, 1L, Long::sum);
    }

    private Of open(String queue) {
        Of own = new Of(MINUTES_OF_A_QUEUE, HOURS_OF_A_QUEUE);
        byQueue.put(queue, own);
        return own;
    }

    /** Begins a minute. Queues that were busier in the last one than queues with a history get theirs. */
    private void begin(Instant time) {
        long now = Math.floorDiv(time.toEpochMilli(), MINUTE.toMillis());
        if (now <= minute) return;
        minute = now;
        if (others.isEmpty()) return;
        List<Map.Entry<String, Long>> busiest = others.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_QUEUES)
                .toList();
        List<Map.Entry<String, Double>> quietest = byQueue.keySet().stream()
                .map(queue -> Map.entry(queue, perMinute(queue, time)))
                .sorted(Map.Entry.comparingByValue())
                .toList();
        for (int i = 0; i < busiest.size() && i < quietest.size(); i++) {
            if (busiest.get(i).getValue() <= BUSIER * quietest.get(i).getValue()) break;
            byQueue.remove(quietest.get(i).getKey());
            open(busiest.get(i).getKey());
        }
        others.clear();
    }

    private double perMinute(String queue, Instant now) {
        Interval lately = latest(now, LATELY_MINUTES, queue);
        long events = 0;
        for (Interval.What what : Interval.What.values()) events += lately.count(what);
        return (double) events / LATELY_MINUTES;
    }

    private static void count(Of series, Instant time, Interval.What what, long millis) {
        series.minutes.at(time).count(what, millis);
        series.hours.at(time).count(what, millis);
    }

    private static Interval.@Nullable What what(String type) {
        return switch (type) {
            case "job.enqueued", "job.scheduled", "job.pending" -> Interval.What.ENQUEUED;
            case "job.completed" -> Interval.What.PROCESSED;
            case "job.failed" -> Interval.What.FAILED;
            default -> null;
        };
    }

    private static long duration(byte[] event) {
        MemberWalk members = new MemberWalk(event);
        while (members.next())
            if (members.nameIs("data") && members.isObject())
                return MemberWalk.text(members.raw(), "duration_ms")
                        .map(Long::parseLong)
                        .orElse(0L);
        return 0;
    }

    /** Intervals of this length, those in which nothing happened among them; of a queue, or of all. */
    synchronized List<Interval> between(Instant from, Instant to, Duration length, @Nullable String queue) {
        Of of = queue == null ? all : byQueue.get(queue);
        List<Interval> intervals = new ArrayList<>();
        Series series = of == null ? null : length.compareTo(HOUR) < 0 ? of.minutes : of.hours;
        long step = length.toMillis();
        for (long start = Math.floorDiv(from.toEpochMilli(), step) * step; start < to.toEpochMilli(); start += step) {
            Interval sum = new Interval(start);
            if (series != null) series.addTo(sum, start, start + step);
            intervals.add(sum);
        }
        return intervals;
    }

    /** Returns the counts of the last {@code minutes} whole minutes before this one. */
    synchronized Interval latest(Instant now, int minutes, @Nullable String queue) {
        long end = Math.floorDiv(now.toEpochMilli(), MINUTE.toMillis()) * MINUTE.toMillis();
        Interval sum = new Interval(end);
        Of of = queue == null ? all : byQueue.get(queue);
        if (of != null) of.minutes.addTo(sum, end - minutes * MINUTE.toMillis(), end);
        return sum;
    }

    public synchronized void clear() {
        all.minutes.clear();
        all.hours.clear();
        byQueue.clear();
        others.clear();
        minute = Long.MIN_VALUE;
    }
}
