package io.floodgate.gateway.limit;

import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of limits in all partitions: what is in force from the partition of the key, and what runs and waits from
 * every partition.
 */
record LimitFigures(Partitions partitions) {
    /** The counts of one key, over all partitions; {@code limits} is what the jobs of one of them define. */
    record Counted(long active, long waiting, byte @Nullable [] limits) {
        static final Counted NOTHING = new Counted(0, 0, null);

        private Counted and(Counted other) {
            return new Counted(active + other.active, waiting + other.waiting, limits == null ? other.limits : limits);
        }
    }

    /**
     * A part of the list.
     *
     * @param lines as their partitions have them, by key
     */
    record Page(Map<String, byte[]> lines, long total) {}

    Map<String, Counted> count(List<String> keys) throws CommandFailed, RejectedException {
        Map<String, Counted> counted = new LinkedHashMap<>();
        for (List<byte[]> lines : partitions.askAll("limits", new CountLimited(keys))) {
            for (byte[] line : lines.subList(1, lines.size()))
                counted.merge(
                        key(line),
                        new Counted(number(line, "active"), number(line, "waiting"), limits(line)),
                        Counted::and);
        }
        return counted;
    }

    /** The keys that hold back most jobs, and then those of which most run, over all partitions. */
    List<String> busiest(int most) throws CommandFailed, RejectedException {
        Comparator<Map.Entry<String, Counted>> least = Comparator.<Map.Entry<String, Counted>>comparingLong(
                        each -> each.getValue().waiting)
                .thenComparingLong(each -> each.getValue().active);
        return count(List.of()).entrySet().stream()
                .sorted(least.reversed())
                .limit(most)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static byte @Nullable [] limits(byte[] line) {
        MemberWalk members = new MemberWalk(line);
        while (members.next()) if (members.nameIs("limits")) return members.raw();
        return null;
    }

    static String key(byte[] line) {
        return MemberWalk.text(line, "key").orElse("");
    }

    static long number(byte[] line, String name) {
        return MemberWalk.text(line, name).map(Long::parseLong).orElse(0L);
    }

    /** Log by log, each partition's by key. */
    Page list(int offset, int limit) throws CommandFailed, RejectedException {
        Map<String, byte[]> page = new LinkedHashMap<>();
        long total = 0;
        int seen = 0;
        int end = offset + limit;
        for (PartitionId log : partitions.all()) {
            String after = null;
            do {
                List<byte[]> lines = partitions.owner(log, "limits").ask(new ListLimits(ListLimits.MAX_LIMIT, after));
                if (after == null) total += number(lines.get(0), "total");
                after = MemberWalk.text(lines.get(0), "next").orElse(null);
                for (byte[] line : lines.subList(1, lines.size())) {
                    if (seen >= offset && seen < end) page.put(key(line), line);
                    seen++;
                }
            } while (after != null && seen < end);
        }
        return new Page(page, total);
    }

    /** Returns what is shown of a key that its partition does not know yet. */
    static byte[] onlyCounted(String key, Counted counted) {
        JsonOut line = JsonOut.object().field("key", key).field("outstanding", counted.active);
        if (counted.limits != null) line.members(counted.limits);
        return line.endObject().toBytes();
    }
}
