package io.floodgate.topics.command;

import io.floodgate.topics.version.JobVersion;
import io.floodgate.topics.version.VersionRange;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The types of jobs that a worker wants: these alone, or all but these; and of some of them, the versions.
 *
 * @param excluded whether it wants all but these
 * @param versions by type; of types that are not there, it takes every version. Jobs without a version are taken always
 */
public record JobTypes(List<String> names, boolean excluded, SortedMap<String, VersionRange> versions) {
    public static final int MOST = 100;

    public static final JobTypes ALL = new JobTypes(List.of(), true);

    public JobTypes {
        names = names.stream().distinct().sorted().toList();
        SortedMap<String, VersionRange> limited = new TreeMap<>(versions);
        limited.values().removeIf(VersionRange::any);
        versions = Collections.unmodifiableSortedMap(limited);
    }

    public JobTypes(List<String> names, boolean excluded) {
        this(names, excluded, Collections.emptySortedMap());
    }

    public static JobTypes only(List<String> names) {
        return new JobTypes(names, false);
    }

    public static JobTypes allBut(List<String> names) {
        return names.isEmpty() ? ALL : new JobTypes(names, true);
    }

    /** The same, but of these types only these versions. */
    public JobTypes accepting(Map<String, VersionRange> byType) {
        return byType.isEmpty() && versions.isEmpty() ? this : new JobTypes(names, excluded, new TreeMap<>(byType));
    }

    public boolean areAll() {
        return nameNone() && versions.isEmpty();
    }

    /** Whether jobs of every type are wanted, though perhaps not in every version. */
    public boolean nameNone() {
        return excluded && names.isEmpty();
    }

    /** Whether jobs of this type are wanted, in some version. */
    public boolean have(String type) {
        return names.contains(type) != excluded;
    }

    /** @param version null if the job has none */
    public boolean have(String type, @Nullable JobVersion version) {
        return have(type) && accept(type, version);
    }

    private boolean accept(String type, @Nullable JobVersion version) {
        if (version == null || versions.isEmpty()) return true;
        VersionRange range = versions.get(type);
        return range == null || range.has(version);
    }
}
