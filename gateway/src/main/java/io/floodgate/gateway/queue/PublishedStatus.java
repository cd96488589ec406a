package io.floodgate.gateway.queue;

import io.floodgate.gateway.door.Room;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.UnreadableLimit;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;

/**
 * A queue's status as its log published it; of two, the one with the higher version is the newer. What is looked at often
 * is read once.
 */
public record PublishedStatus(String name, boolean known, Room room, byte[] json) {
    static PublishedStatus read(byte[] json) {
        String name = "";
        long version = 0;
        long depth = 0;
        long bytes = 0;
        boolean known = false;
        QueueConfig config = QueueConfig.NONE;
        MemberWalk members = new MemberWalk(json);
        while (members.next()) {
            if (members.nameIs("name")) name = members.text();
            else if (members.nameIs("version")) version = Long.parseLong(members.text());
            else if (members.nameIs("depth")) depth = Long.parseLong(members.text());
            else if (members.nameIs("size_bytes")) bytes = Long.parseLong(members.text());
            else if (members.nameIs("config")) config = config(members.inside());
            else if (members.nameIs("created_at")) known = true;
        }
        return new PublishedStatus(name, known, new Room(version, depth, bytes, config), json);
    }

    public long version() {
        return room.version();
    }

    /** What was decided about the queue. */
    public QueueConfig config() {
        return room.config();
    }

    private static QueueConfig config(MemberWalk members) {
        Long maxDepth = null;
        Long maxSizeBytes = null;
        Overflow strategy = null;
        Double threshold = null;
        TenantBounds tenants = TenantBounds.NONE;
        Allowance limits = Allowance.UNLIMITED;
        while (members.next()) {
            if (members.nameIs("max_depth")) maxDepth = Long.valueOf(members.text());
            else if (members.nameIs("max_size_bytes")) maxSizeBytes = Long.valueOf(members.text());
            else if (members.nameIs("strategy"))
                strategy = Overflow.parse(members.text()).orElse(null);
            else if (members.nameIs("warning_threshold")) threshold = Double.valueOf(members.text());
            else if (members.nameIs("tenants")) tenants = tenants(members.inside());
            else if (members.nameIs("limits")) limits = limits(members.raw());
        }
        return new QueueConfig(maxDepth, maxSizeBytes, strategy, threshold, tenants, limits);
    }

    private static Allowance limits(byte[] json) {
        try {
            return LimitReader.allowance(Json.tree(json), "limits", Set.of());
        } catch (UnreadableLimit | JacksonException foreign) {
            return Allowance.UNLIMITED;
        }
    }

    private static TenantBounds tenants(MemberWalk members) {
        Map<String, Long> depths = new TreeMap<>();
        while (members.next()) depths.put(members.name(), Long.valueOf(members.text()));
        return new TenantBounds(depths);
    }

    public long number(String name) {
        return MemberWalk.text(json, name).map(Long::parseLong).orElse(0L);
    }
}
