package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.log.Outcome;
import io.floodgate.processor.simulation.Cluster.Append;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.command.Message.PermitLetter;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Goes through everything that happened, in the order in which it did, and counts starts and runs by key and by queue without
 * believing any figure of the rules.
 */
final class PermitCheck {
    /** What a start may come after its permit: 250 ms, and what messages take here, and clocks that are behind. */
    private static final long LATEST_MS = 250 + 450;

    /** A permit of a throttle may have the date that was missed. */
    private static final long CATCH_UP_US = 25_000;

    /** Permits that are on their way, by log and key: when which were given. */
    private record Given(long date, long at) {}

    private final Cluster cluster;
    private final Map<String, List<Given>> given = new TreeMap<>();
    private final Map<String, Set<String>> running = new TreeMap<>();
    private final Map<String, List<Long>> dates = new TreeMap<>();
    private final Map<String, Long> frozen = new TreeMap<>();

    private PermitCheck(Cluster cluster) {
        this.cluster = cluster;
    }

    static void check(Cluster cluster) {
        PermitCheck check = new PermitCheck(cluster);
        for (Append append : List.copyOf(cluster.appends)) {
            Outcome outcome = cluster.history.outcome(append.log(), append.offset());
            if (outcome != null) check.see(append, outcome);
        }
        check.dates.forEach(check::windows);
    }

    private void see(Append append, Outcome outcome) {
        for (Outgoing message : outcome.outgoing()) {
            if (decoded(message) instanceof PermitLetter letter)
                for (GivePermits give : letter.gives()) give(append, message.to(), give);
        }
        outcome.events().forEach(event -> {
            JsonNode envelope = Json.tree(event.envelope());
            see(append, envelope.get("type").stringValue(), time(envelope, "time"), envelope.get("data"));
        });
    }

    private static long time(JsonNode node, String name) {
        return Instant.parse(node.get(name).stringValue()).toEpochMilli();
    }

    private static Command decoded(Outgoing message) {
        try {
            return CommandCodec.decode(message.op(), message.value());
        } catch (UnreadableCommand unreadable) {
            throw new AssertionError(message.op(), unreadable);
        }
    }

    private void give(Append append, LogId to, GivePermits give) {
        for (int i = 0; i < give.count(); i++)
            given.computeIfAbsent(to + " " + give.key(), k -> new ArrayList<>())
                    .add(new Given(give.first() + i * give.spacing(), append.at()));
    }

    private void see(Append append, String type, long time, JsonNode data) {
        if (type.equals("rate_limit.dynamic_adjusted"))
            frozen.merge(data.get("key").stringValue(), time(data, "until"), Math::max);
        if (!data.has("job_id") || !data.has("state")) return;
        String job = data.get("job_id").stringValue();
        String queue = "queue:" + data.get("queue").stringValue();
        if (type.equals("job.started")) {
            JsonNode permit = data.get("rate_limit");
            if (permit != null) startOnPermit(append, time, job, permit);
            Allowance ofQueue =
                    LimitedKeys.OF_QUEUES.getOrDefault(data.get("queue").stringValue(), Allowance.UNLIMITED);
            run(queue, job, ofQueue);
            dates.computeIfAbsent(queue, k -> new ArrayList<>()).add(time * 1_000);
        } else if (!data.get("state").stringValue().equals("active")) {
            running.values().forEach(jobs -> jobs.remove(job));
        }
    }

    private void startOnPermit(Append append, long time, String job, JsonNode permit) {
        String key = permit.get("key").stringValue();
        long date = permit.get("permit_us").longValue();
        LogId home = cluster.routing.ofLimit(key);
        if (home.equals(append.log())) checkHere(key, job, date, time);
        else checkGiven(append, key, job, date);
        // Permits of other logs may have been given before.
        if (home.equals(append.log()) && date < frozen.getOrDefault(key, 0L) * 1_000 - CATCH_UP_US)
            throw failure(key, "job %s started while it was frozen".formatted(job));
        run(key, job, LimitedKeys.most(key));
        dates.computeIfAbsent(key, k -> new ArrayList<>()).add(date);
    }

    private void checkHere(String key, String job, long date, long time) {
        long late = time * 1_000 - date;
        if (late < 0 || late > CATCH_UP_US + 250_000)
            throw failure(key, "job %s started %d us after its permit, in the same log".formatted(job, late));
    }

    private void checkGiven(Append append, String key, String job, long date) {
        List<Given> there = given.getOrDefault(append.log() + " " + key, List.of());
        Given permit = there.stream()
                .filter(one -> one.date == date)
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> failure(key, "job %s started on a permit that nobody gave".formatted(job)));
        there.remove(permit);
        long late = append.at() - permit.at;
        // How late the first message is after a clock was set cannot be known.
        if (late > LATEST_MS && !cluster.clocks.wereSet(permit.at - 5_000, append.at()))
            throw failure(key, "job %s started %d ms after its permit".formatted(job, late));
    }

    private void run(String key, String job, Allowance most) {
        Set<String> jobs = running.computeIfAbsent(key, k -> new LinkedHashSet<>());
        jobs.add(job);
        if (most.concurrency() != null && jobs.size() > most.concurrency())
            throw failure(key, "%d jobs run: %s".formatted(jobs.size(), jobs));
    }

    private void windows(String key, List<Long> starts) {
        Allowance most = key.startsWith("queue:")
                ? LimitedKeys.OF_QUEUES.getOrDefault(key.substring(6), Allowance.UNLIMITED)
                : LimitedKeys.most(key);
        List<Long> sorted = starts.stream().sorted().toList();
        if (most.rate() != null) spaced(key, sorted, most.rate().starts(), millis(most.rate()) * 1_000);
        if (most.throttle() != null)
            spaced(
                    key,
                    sorted,
                    1,
                    millis(most.throttle()) * 1_000 / most.throttle().starts());
    }

    private static long millis(Pace pace) {
        return pace.period().toMillis();
    }

    private static void spaced(String key, List<Long> sorted, long starts, long periodUs) {
        for (int i = (int) starts; i < sorted.size(); i++) {
            long span = sorted.get(i) - sorted.get(i - (int) starts);
            if (span < periodUs)
                throw failure(key, "%d starts within %d us, up to %d".formatted(starts + 1, span, sorted.get(i)));
        }
    }

    private static AssertionError failure(String key, String what) {
        return new AssertionError("limit %s: %s".formatted(key, what));
    }
}
