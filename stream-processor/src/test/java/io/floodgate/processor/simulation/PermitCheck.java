package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.limit.Limiter;
import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.simulation.Cluster.Append;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.command.Message.PermitMessage;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Goes through everything that happened, in the order in which it did, and counts starts and runs by key and by queue without
 * believing any figure of the rules. What counts is when jobs started, by the time of the partition in which they did; where clocks are
 * wrong, it is when they really did, and no more than {@link #WRONG_MS} is made of it.
 */
final class PermitCheck {
    /** By so much a clock may be behind, and a message be late, without having been set. */
    private static final long WRONG_MS = 450;

    /** What a start may come after its permit: while it is usable, after what it was given ahead, by a clock that may be behind. */
    private static final long LATEST_MS = Limiter.USABLE_MS + 50 + WRONG_MS;

    private static final long EVEN_MS = 20;
    private static final long SHORT_WHILE_MS = 250;

    /** Permits that are on their way, by log and key: when which were given. */
    private record Given(long date, long at, boolean isDated) {}

    /** @param time by the time of the partition */
    private record Start(long time, long at, String job, PartitionId log) {}

    private final Cluster cluster;
    private final Map<String, List<Given>> given = new TreeMap<>();
    private final Map<String, Set<String>> running = new TreeMap<>();
    private final Map<String, List<Start>> starts = new TreeMap<>();
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
        check.starts.forEach(check::windows);
    }

    private void see(Append append, Outcome outcome) {
        for (Outgoing message : outcome.outgoing()) {
            if (decoded(message) instanceof PermitMessage permits)
                for (GivePermits give : permits.gives()) give(append, message.to(), give);
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

    private void give(Append append, PartitionId to, GivePermits give) {
        for (int i = 0; i < give.count(); i++)
            given.computeIfAbsent(to + " " + give.key(), k -> new ArrayList<>())
                    .add(new Given(give.date(), append.at(), give.until() > 0));
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
            note(queue, append, time, job);
        } else if (!data.get("state").stringValue().equals("active")) {
            running.values().forEach(jobs -> jobs.remove(job));
        }
    }

    private void note(String key, Append append, long time, String job) {
        starts.computeIfAbsent(key, k -> new ArrayList<>()).add(new Start(time, append.at(), job, append.log()));
    }

    private void startOnPermit(Append append, long time, String job, JsonNode permit) {
        String key = permit.get("key").stringValue();
        long date = permit.get("permit_us").longValue() / 1_000;
        PartitionId home = cluster.routing.ofLimit(key);
        if (home.equals(append.log())) checkHere(key, job, date, time);
        else checkGiven(append, key, job, date);
        run(key, job, LimitedKeys.most(key));
        note(key, append, time, job);
        if (home.equals(append.log())) note(key + "@home", append, time, job);
    }

    private void checkHere(String key, String job, long date, long time) {
        long late = time - date;
        if (late < 0 || late > LATEST_MS)
            throw failure(key, "job %s started %d ms after its permit, in the same log".formatted(job, late));
        // Permits of other partitions may have been given before. Operators may say that it is over.
        if (time < frozen.getOrDefault(key, 0L) && !key.equals(LimitedKeys.OVERRIDDEN))
            throw failure(key, "job %s started while it was frozen".formatted(job));
    }

    private void checkGiven(Append append, String key, String job, long date) {
        List<Given> there = given.getOrDefault(append.log() + " " + key, List.of());
        Given permit = there.stream()
                .filter(one -> one.date == date)
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> failure(key, "job %s started on a permit that was not given".formatted(job)));
        there.remove(permit);
        // Of a limit of concurrency only, none is too late.
        if (!permit.isDated) return;
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

    private void windows(String name, List<Start> some) {
        boolean oneLog = name.startsWith("queue:") || name.endsWith("@home");
        String key = name.replace("@home", "");
        Allowance most = key.startsWith("queue:")
                ? LimitedKeys.OF_QUEUES.getOrDefault(key.substring(6), Allowance.UNLIMITED)
                : LimitedKeys.most(key);
        // Within a partition, its time is what counts, wherever clocks are.
        boolean exact = oneLog || cluster.clocks.exact;
        List<Start> sorted = some.stream()
                .sorted(Comparator.comparingLong(start -> exact ? start.time : start.at))
                .toList();
        if (most.rate() != null)
            atMost(key, sorted, (int) most.rate().starts(), most.rate().period().toMillis(), exact);
        if (most.throttle() != null) spaced(key, sorted, most.throttle(), exact);
    }

    private void spaced(String key, List<Start> sorted, Pace throttle, boolean exact) {
        long spacing = throttle.period().toMillis() / throttle.starts();
        if (spacing < EVEN_MS) {
            long starts = SHORT_WHILE_MS * throttle.starts() / throttle.period().toMillis() + 1;
            atMost(key, sorted, (int) starts, SHORT_WHILE_MS, exact);
            return;
        }
        atMost(key, sorted, 1, spacing / 2, exact);
        for (PartitionId log : cluster.logs())
            atMost(key, sorted.stream().filter(start -> start.log.equals(log)).toList(), 1, spacing * 9 / 10, exact);
        for (int n = 1; n < 20; n++) atMost(key, sorted, n + 1, n * spacing, exact);
    }

    private void atMost(String key, List<Start> sorted, int most, long period, boolean exact) {
        for (int i = most; i < sorted.size(); i++) {
            Start first = sorted.get(i - most);
            Start last = sorted.get(i);
            if (!exact && cluster.clocks.wereSet(first.at - 10_000, last.at)) continue;
            long span = exact ? last.time - first.time : last.at - first.at + WRONG_MS;
            if (span < period)
                throw failure(key, "%d starts within %d ms, the last of them %s".formatted(most + 1, span, last));
        }
    }

    private static AssertionError failure(String key, String what) {
        return new AssertionError("limit %s: %s".formatted(key, what));
    }
}
