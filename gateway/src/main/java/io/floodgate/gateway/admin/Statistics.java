package io.floodgate.gateway.admin;

import io.floodgate.gateway.event.EventStreams;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.JobState;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.JsonOut;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** {@code /ojs/v1/admin/stats} (OJS admin §10). */
public final class Statistics {
    /** Current rates are averages over this many whole minutes. */
    static final int MINUTES = 5;

    private static final int MOST_INTERVALS = 1_500;

    private final StatusTable table;
    private final StatsHistory history;
    private final WorkerPages workers;
    private final EventStreams streams;
    private final BooleanSupplier closing;
    private final Clock clock;
    private final Instant startedAt;
    /** Statistics that are shared by the readers of the stream, of which there may be many. */
    private final Shared<byte[]> shared;

    /**
     * @param closing whether readers should be sent away, for the gateway is about to stop
     * @param nanos a clock like {@code System.nanoTime()}
     */
    public Statistics(
            Partitions partitions,
            StatusTable table,
            StatsHistory history,
            EventStreams streams,
            Clock clock,
            LongSupplier nanos,
            BooleanSupplier closing) {
        shared = new Shared<>(nanos);
        this.streams = streams;
        this.closing = closing;
        this.table = table;
        this.history = history;
        this.clock = clock;
        workers = new WorkerPages(partitions);
        startedAt = clock.instant();
    }

    public ApiResponse now(Call call) throws CommandFailed, RejectedException {
        return ApiResponse.ok(figures());
    }

    /** The same every two seconds, for pages that show it. */
    public ApiResponse stream(Call call) throws RejectedException {
        return streams.open(
                call,
                reader -> {
                    while (call.caller().isKnown() && !closing.getAsBoolean() && !reader.hasLeft()) {
                        try {
                            reader.send(
                                    "metrics",
                                    null,
                                    new JsonOut().raw(shared.get(() -> figures().toBytes())));
                        } catch (CommandFailed | RejectedException unreachable) {
                            reader.keepAlive();
                        }
                        LockSupport.parkNanos(Shared.FRESH.toNanos());
                    }
                },
                "GET /ojs/v1/admin/stats");
    }

    private JsonOut figures() throws CommandFailed, RejectedException {
        long paused = table.count(status -> status.isPaused());
        JsonOut out = JsonOut.object(1_024)
                .field("queues", table.size())
                .field("workers", workers.present())
                .beginObject("jobs");
        table.sums(Stream.of(JobState.values()).map(JobState::wire).toList()).forEach(out::field);
        out.endObject().beginObject("queue_summary");
        out.field("total", table.size())
                .field("active", table.size() - paused)
                .field("paused", paused)
                .endObject();
        throughput(history.latest(clock.instant(), MINUTES, null), out);
        return out.field(
                        "uptime_seconds",
                        Duration.between(startedAt, clock.instant()).toSeconds())
                .endObject();
    }

    /** Writes the throughput by the minute, under the names of the specification and of the command-line tool. */
    static void throughput(Interval latest, JsonOut out) {
        double processed = perMinute(latest, Interval.What.PROCESSED);
        double failed = perMinute(latest, Interval.What.FAILED);
        out.beginObject("throughput")
                .field("processed_per_minute", processed)
                .field("failed_per_minute", failed)
                .field("enqueued_per_min", perMinute(latest, Interval.What.ENQUEUED))
                .field("completed_per_min", processed)
                .field("failed_per_min", failed)
                .endObject();
    }

    private static double perMinute(Interval latest, Interval.What what) {
        return Math.round(10.0 * (double) latest.count(what) / MINUTES) / 10.0;
    }

    public ApiResponse history(Call call) throws RejectedException {
        String period = call.query("period").orElse("5m");
        Duration length = switch (period) {
            case "1m" -> Duration.ofMinutes(1);
            case "5m" -> Duration.ofMinutes(5);
            case "1h" -> Duration.ofHours(1);
            case "1d" -> Duration.ofDays(1);
            default -> throw RequestFields.wrong("period", "The 'period' must be 1m, 5m, 1h or 1d.");
        };
        String until = call.query("until").orElse(null);
        String since = call.query("since").orElse(null);
        Instant to = until == null ? clock.instant() : JobQuery.time(until, "until", clock.instant());
        Instant from = since == null ? to.minus(Duration.ofHours(1)) : JobQuery.time(since, "since", clock.instant());
        if (Duration.between(from, to).compareTo(length.multipliedBy(MOST_INTERVALS)) > 0)
            throw RequestFields.wrong("since", "At most %d intervals are shown at once.".formatted(MOST_INTERVALS));
        String queue = JobQuery.queue(call.query("queue").orElse(null), "queue");
        JsonOut out = JsonOut.object(4_096).field("period", period);
        List<Interval> intervals = history.between(from, to, length, queue);
        for (String name : List.of("data", "data_points")) {
            out.beginArray(name);
            intervals.forEach(interval -> write(interval, out));
            out.endArray();
        }
        return ApiResponse.ok(out.field("complete_since", history.since()).endObject());
    }

    private static void write(Interval interval, JsonOut out) {
        out.beginObject()
                .field("timestamp", interval.start())
                .field("enqueued", interval.count(Interval.What.ENQUEUED))
                .field("processed", interval.count(Interval.What.PROCESSED))
                .field("completed", interval.count(Interval.What.PROCESSED))
                .field("failed", interval.count(Interval.What.FAILED))
                .field("latency_p50_ms", interval.duration(0.5))
                .field("latency_p99_ms", interval.duration(0.99))
                .endObject();
    }
}
