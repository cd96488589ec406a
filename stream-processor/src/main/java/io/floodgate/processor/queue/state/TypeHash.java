package io.floodgate.processor.queue.state;

import io.floodgate.topics.version.JobVersion;
import io.floodgate.topics.version.VersionRange;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A mark of a job's type and version, which stands behind its rank in the ready order: so a fetch with a filter passes over other
 * jobs without reading them. Ranks have forty-one bits: at 10,000 jobs a second, a queue uses them up in 7 years.
 *
 * <pre>
 *   a job without a version    0   22 bits of the type
 *   a job with a version       1   14 bits of the type    5 bits of the major version    3 bits of the minor version
 * </pre>
 *
 * Major versions below 23 and minor versions below 6 have bits of their own, so that any range of them is exact. Of others, those that
 * are next to each other have different bits.
 */
public final class TypeHash {
    private static final int BITS = 23;
    private static final int MASK = (1 << BITS) - 1;
    private static final int VERSIONED = 1 << (BITS - 1);
    private static final int PLAIN_MASK = VERSIONED - 1;

    private static final int MINOR_BITS = 3;
    private static final int VERSION_BITS = 5 + MINOR_BITS;
    private static final int VERSION_MASK = (1 << VERSION_BITS) - 1;

    private static final int MAJORS = 23;
    private static final int MORE_MAJORS = 8;
    private static final int MINORS = 6;
    private static final int MORE_MINORS = 2;
    /** Version bits of a job that is in no range but that of all versions. */
    private static final int OTHER = (MAJORS + MORE_MAJORS) << MINOR_BITS;

    private TypeHash() {}

    /** The mark of a job. Jobs of different types may have the same, very seldom. */
    public static int of(String type, @Nullable JobVersion version) {
        int hash = hash(type);
        return version == null ? hash : versioned(hash) | ofVersion(version);
    }

    private static int hash(String type) {
        int hash = type.hashCode();
        return (hash ^ (hash >>> 16)) & PLAIN_MASK;
    }

    private static int versioned(int hash) {
        return VERSIONED | (hash << VERSION_BITS & PLAIN_MASK);
    }

    /** The marks of all jobs of a type that have a version begin with this. */
    static int versioned(String type) {
        return versioned(hash(type));
    }

    /** Returns the bits that all jobs of the same type have. */
    static int typeOf(int mark) {
        return isVersioned(mark) ? mark & ~VERSION_MASK : mark;
    }

    static boolean isVersioned(int mark) {
        return (mark & VERSIONED) != 0;
    }

    static int versionOf(int mark) {
        return mark & VERSION_MASK;
    }

    private static int ofVersion(JobVersion version) {
        return version.isOther() ? OTHER : ofNumbers(version.major(), version.minor());
    }

    private static int ofNumbers(long major, long minor) {
        return folded(major, MAJORS, MORE_MAJORS) << MINOR_BITS | folded(minor, MINORS, MORE_MINORS);
    }

    private static int folded(long number, int own, int more) {
        return (int) (number < own ? number : own + number % more);
    }

    /** Returns the version bits that jobs in this range can have; not for a range of all versions. */
    static BitSet versions(VersionRange range) {
        BitSet versions = new BitSet(1 << VERSION_BITS);
        for (VersionRange.Interval interval : range.intervals()) add(interval, versions);
        return versions;
    }

    private static void add(VersionRange.Interval interval, BitSet versions) {
        long first = interval.firstMajor();
        // One of each kind is enough.
        long last = Math.min(interval.lastMajor(), first + MAJORS + MORE_MAJORS);
        for (long major = first; major <= last; major++) {
            long from = major == first ? interval.firstMinor() : 0;
            boolean isWhole = from == 0 && major != interval.lastMajor();
            int bits = folded(major, MAJORS, MORE_MAJORS) << MINOR_BITS;
            if (isWhole) versions.set(bits, bits + MINORS + MORE_MINORS);
            else add(from, major == interval.lastMajor() ? interval.lastMinor() : Long.MAX_VALUE, bits, versions);
        }
    }

    /** Adds these minor versions, to the last one. */
    private static void add(long from, long to, int bits, BitSet versions) {
        for (long minor = from; minor <= Math.min(to, from + MINORS + MORE_MINORS); minor++)
            versions.set(bits | folded(minor, MINORS, MORE_MINORS));
    }

    /** Returns a number in the order of ranks, of which no two jobs of a queue have the same. */
    static long number(long rank, int mark) {
        return (rank << BITS | mark) ^ Long.MIN_VALUE;
    }

    static long rank(long number) {
        return (number ^ Long.MIN_VALUE) >>> BITS;
    }

    static int mark(long number) {
        return (int) (number & MASK);
    }
}
