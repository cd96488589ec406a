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
 * The jobs that a worker wants: those of these types alone, or of all but these; of some types, the versions; and those of some tenants.
 *
 * @param excluded whether it wants all but these
 * @param versions by type; of types that are not there, it takes every version. Jobs without a version are taken always
 * @param tenants whose jobs it wants; empty for those of all
 */
public record WantedJobs(
        List<String> names, boolean excluded, SortedMap<String, VersionRange> versions, List<String> tenants) {
    public static final int MOST = 100;

    /** The most pairs of a tenant and a queue in one fetch. */
    public static final int MOST_TENANTS_AND_QUEUES = 1_000;

    public static final WantedJobs ALL = new WantedJobs(List.of(), true);

    public WantedJobs {
        names = names.stream().distinct().sorted().toList();
        SortedMap<String, VersionRange> limited = new TreeMap<>(versions);
        limited.values().removeIf(VersionRange::any);
        versions = Collections.unmodifiableSortedMap(limited);
        tenants = tenants.stream().distinct().sorted().toList();
    }

    public WantedJobs(List<String> names, boolean excluded) {
        this(names, excluded, Collections.emptySortedMap(), List.of());
    }

    public static WantedJobs only(List<String> names) {
        return new WantedJobs(names, false);
    }

    public static WantedJobs allBut(List<String> names) {
        return names.isEmpty() ? ALL : new WantedJobs(names, true);
    }

    /** The same, but of these types only these versions. */
    public WantedJobs accepting(Map<String, VersionRange> byType) {
        return byType.isEmpty() && versions.isEmpty()
                ? this
                : new WantedJobs(names, excluded, new TreeMap<>(byType), tenants);
    }

    /** The same, but only jobs of these tenants; of all, if there is none. */
    public WantedJobs ofTenants(List<String> only) {
        return only.isEmpty() && tenants.isEmpty() ? this : new WantedJobs(names, excluded, versions, only);
    }

    public boolean areAll() {
        return nameNone() && versions.isEmpty() && tenants.isEmpty();
    }

    /** Whether only jobs of some tenants are wanted. */
    public boolean nameTenants() {
        return !tenants.isEmpty();
    }

    /** Whether jobs of this tenant are wanted, of some type. */
    public boolean haveTenant(String tenant) {
        return tenants.isEmpty() || tenants.contains(tenant);
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
