package io.floodgate.processor.queue.state;

import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.version.VersionRange;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The filter of a fetch at one queue, types with their versions and tenants, in the terms of its ready order. */
public final class WantedFilter {
    /** Jobs that look as if they were wanted, and are not: with more of them, the rest is left. */
    private static final int MOST_MISTAKEN = 100;

    private static final int[] NONE = {};

    private final WantedJobs types;
    /** Hashes of the types that it names, for jobs with and without versions. */
    private final int[] hashes;
    /** Versions of each type of which only some are wanted, by {@link TypeHash#versioned(String)}. */
    private final Map<Integer, BitSet> versions;

    private final Set<Long> mistaken = new TreeSet<>();
    private Set<String> passedOver = Collections.emptySet();

    public WantedFilter(WantedJobs types) {
        this.types = types;
        hashes = types.names().isEmpty() ? NONE : hashes(types.names());
        versions = types.versions().isEmpty() ? Collections.emptyMap() : versions(types.versions());
    }

    private WantedFilter(WantedFilter same) {
        types = same.types;
        hashes = same.hashes;
        versions = same.versions;
    }

    /** The same, for another queue. */
    public WantedFilter again() {
        return new WantedFilter(this);
    }

    private static int[] hashes(List<String> names) {
        return names.stream()
                .flatMapToInt(type -> IntStream.of(TypeHash.of(type, null), TypeHash.versioned(type)))
                .sorted()
                .toArray();
    }

    private static Map<Integer, BitSet> versions(Map<String, VersionRange> byType) {
        Map<Integer, BitSet> versions = new TreeMap<>();
        byType.forEach((type, range) -> versions.computeIfAbsent(TypeHash.versioned(type), hash -> new BitSet())
                .or(TypeHash.versions(range)));
        return versions;
    }

    /** Jobs of these tenants cannot start. */
    public void passOver(Set<String> those) {
        passedOver = those;
    }

    public boolean passesOverSome() {
        return !passedOver.isEmpty();
    }

    public boolean passesOver(String tenant) {
        return passedOver.contains(tenant);
    }

    /** Returns whether it wants jobs of every type and version, of the tenants that it wants. */
    boolean isAll() {
        return types.nameNone() && types.versions().isEmpty() && mistaken.isEmpty();
    }

    public WantedJobs types() {
        return types;
    }

    /** Returns the tenants whose jobs alone are wanted; empty for all. */
    public List<String> tenants() {
        return types.tenants();
    }

    /** Returns whether jobs of only some tenants are wanted. */
    public boolean namesTenants() {
        return types.nameTenants();
    }

    /** Returns whether jobs with this type hash may be wanted. All that look like those to leave out are left out. */
    boolean hasMark(int mark) {
        int type = TypeHash.typeOf(mark);
        if ((Arrays.binarySearch(hashes, type) >= 0) == types.excluded()) return false;
        BitSet wanted = versions.isEmpty() || !TypeHash.isVersioned(mark) ? null : versions.get(type);
        // mutant: version-of-mark
        return wanted == null || wanted.get(TypeHash.versionOf(mark));
    }

    /** @param number as {@link TypeHash} makes it */
    public boolean has(long number) {
        return hasMark(TypeHash.mark(number)) && (mistaken.isEmpty() || !mistaken.contains(number));
    }

    /** Returns whether this job is wanted; false, too, if there is no use in looking further. */
    public boolean has(JobRecord job) {
        if (types.have(job.type, job.version)) return true;
        leaveOut(job);
        return false;
    }

    /** Leaves this job out, which looks as if it were wanted. */
    public void leaveOut(JobRecord job) {
        mistaken.add(TypeHash.number(job.rank, TypeHash.of(job.type, job.version)));
    }

    /** Returns how many jobs were left out. */
    public int leftOut() {
        return mistaken.size();
    }

    public boolean goesOn() {
        return mistaken.size() < MOST_MISTAKEN;
    }
}
