package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.version.JobVersion;
import io.floodgate.topics.version.VersionRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last fetches from a queue: a job may not run because no worker fetches, or none fetches its type. Noted to the
 * minute, so that a fetch seldom writes.
 *
 * @param at of the last fetch that named the queue
 * @param reachedAt of the last one that was not served by other queues before it came to this one; null for none
 * @param wanted what the fetches of the last two minutes asked for
 */
public record RecentFetches(Instant at, @Nullable Instant reachedAt, List<Wanted> wanted) {
    public static final StoredForm<RecentFetches> STORED = new StoredForm<>(RecentFetches.class, 1, "recent fetches");
    public static final Duration EXACT_TO = Duration.ofMinutes(1);

    /** Age from which a fetch may be over: fetches are noted to the minute. */
    public static final Duration LATELY = EXACT_TO.multipliedBy(2);

    /** Most different filters that are remembered. Beyond them, the rest counts as a fetch of all types. */
    static final int MAX_WANTED = 16;

    /** A longer list of types, versions and tenants counts as all types, likewise. */
    static final int MAX_CHARS = 1_000;

    /** Measured, as in {@link Memory}. */
    private static final long BYTES = 130;

    private static final long BYTES_OF_A_WISH = 130;

    /** @param worker that asked last for these types; null if it is not known, and for all types */
    public record Wanted(WantedJobs types, @Nullable String worker, Instant at) {
        public Wanted {
            if (types.areAll()) types = WantedJobs.ALL; // most are, and share it
        }

        private boolean isRecent(Instant now) {
            return at.plus(LATELY).isAfter(now);
        }

        private long bytes() {
            long bytes = BYTES_OF_A_WISH;
            bytes += worker == null ? 0 : Memory.NAME + worker.length();
            return bytes + StoredTypes.bytes(types);
        }
    }

    public RecentFetches {
        wanted = List.copyOf(wanted);
    }

    private static boolean isExact(@Nullable Instant noted, Instant now) {
        return noted != null && noted.plus(EXACT_TO).isAfter(now);
    }

    /** A fetch has named the queue; null if that need not be noted. */
    public static @Nullable RecentFetches asked(
            @Nullable RecentFetches before, WantedJobs asked, @Nullable String worker, Instant now) {
        WantedJobs types = shortened(asked);
        if (before == null) return new RecentFetches(now, null, List.of(wanted(types, worker, now)));
        for (Wanted known : before.wanted)
            if (known.types.equals(types) && isExact(known.at, now) && isExact(before.at, now)) return null;
        List<Wanted> wanted = new ArrayList<>();
        for (Wanted known : before.wanted) if (known.isRecent(now) && !known.types.equals(types)) wanted.add(known);
        if (wanted.size() >= MAX_WANTED) {
            types = WantedJobs.ALL;
            wanted.removeIf(known -> known.types.areAll());
        }
        wanted.add(wanted(types, worker, now));
        return new RecentFetches(now, before.reachedAt, wanted);
    }

    private static WantedJobs shortened(WantedJobs types) {
        int chars = 0;
        for (String name : types.names()) chars += name.length();
        for (String tenant : types.tenants()) chars += tenant.length();
        for (Map.Entry<String, VersionRange> each : types.versions().entrySet()) {
            chars += each.getKey().length();
            for (String range : each.getValue().texts()) chars += range.length();
        }
        return chars > MAX_CHARS ? WantedJobs.ALL : types;
    }

    private static Wanted wanted(WantedJobs types, @Nullable String worker, Instant now) {
        return new Wanted(types, types.areAll() ? null : worker, now);
    }

    /** A fetch has come to the queue; null if that need not be noted. */
    public static @Nullable RecentFetches reached(@Nullable RecentFetches before, Instant now) {
        if (before == null || isExact(before.reachedAt, now)) return null;
        return new RecentFetches(before.at, now, before.wanted);
    }

    public boolean isRecent(Instant now) {
        return !at.plus(LATELY).isBefore(now);
    }

    /** Fetches have named the queue lately, and none has come to it: other queues that they name come first. */
    public boolean isPassedOver(Instant now) {
        return isRecent(now) && (reachedAt == null || reachedAt.plus(LATELY).isBefore(now));
    }

    /** Returns whether a fetch of the last minutes would have taken a job of this type. */
    public boolean wants(String type, Instant now) {
        return wanted.stream().anyMatch(known -> known.isRecent(now) && known.types.have(type));
    }

    /** The same for this version of them; null for jobs without one. */
    public boolean wants(String type, @Nullable JobVersion version, Instant now) {
        return wanted.stream().anyMatch(known -> known.isRecent(now) && known.types.have(type, version));
    }

    /** The same for a job of this tenant. */
    public boolean wants(String type, @Nullable JobVersion version, String tenant, Instant now) {
        return wanted.stream()
                .anyMatch(known ->
                        known.isRecent(now) && known.types.have(type, version) && known.types.haveTenant(tenant));
    }

    /** Returns the memory beyond what every queue takes. */
    long bytes() {
        long bytes = BYTES;
        for (Wanted known : wanted) bytes += known.bytes();
        return bytes;
    }
}
