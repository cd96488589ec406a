package io.floodgate.processor.limit;

import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.limit.LimitSpace;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Memory of the keys that lead to one partition. Clients choose their keys, and so the partition. So new keys take half
 * of the memory at most, and those of clients with keys of their own a sixteenth.
 */
final class LimitMemory {
    private static final int SHARE = 2;
    private static final int SHARE_OF_A_SPACE = 16;

    private final Supplier<PartitionSettings> settings;
    private final Map<String, Long> ofSpaces = new TreeMap<>();
    private long bytes;

    LimitMemory(Supplier<PartitionSettings> settings) {
        this.settings = settings;
    }

    void clear() {
        ofSpaces.clear();
        bytes = 0;
    }

    /** Counts the limit as it is now. */
    void count(Limit limit) {
        count(limit, limit.bytes());
    }

    void leave(Limit limit) {
        count(limit, 0);
    }

    private void count(Limit limit, long now) {
        long more = now - limit.counted;
        if (more == 0) return;
        limit.counted = now;
        bytes += more;
        String space = LimitSpace.ofName(limit.key);
        if (space != null) ofSpaces.merge(space, more, (before, added) -> before + added == 0 ? null : before + added);
    }

    long bytes() {
        return bytes;
    }

    /** The memory that a new key may use, and how much of it is taken. */
    record Share(long most, long taken) {
        boolean isSpent() {
            return taken >= most;
        }
    }

    /** The share that this key would be in. */
    Share of(String key) {
        long most = settings.get().maxMemoryBytes();
        String space = LimitSpace.ofName(key);
        // Without space on the disk, no new job comes in, and existing jobs have to be worked off.
        if (most <= PartitionSettings.NO_DISK) return new Share(Long.MAX_VALUE, 0);
        Share all = new Share(most / SHARE, bytes);
        return space == null || all.isSpent()
                ? all
                : new Share(most / SHARE_OF_A_SPACE, ofSpaces.getOrDefault(space, 0L));
    }
}
