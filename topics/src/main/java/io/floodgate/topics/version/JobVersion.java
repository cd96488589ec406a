package io.floodgate.topics.version;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a job's arguments as fetches compare it (OJS job versioning §5.1): major and minor. A third number does not
 * count, since patches do not change arguments. The job itself shows its version as it was sent.
 */
public record JobVersion(int major, int minor) {
    /** A version that is not made of numbers. Only a fetch that takes any version takes such a job. */
    public static final JobVersion OTHER = new JobVersion(-1, 0);

    private static final Pattern NUMBERS = Pattern.compile("([0-9]{1,9})(?:\\.([0-9]{1,9})(?:\\.[0-9]{1,9})?)?");

    /** Returns the version of a text. Any text has one: a text that cannot be read has {@link #OTHER}. */
    public static JobVersion of(String text) {
        Matcher numbers = NUMBERS.matcher(text);
        if (!numbers.matches()) return OTHER;
        String minor = numbers.group(2);
        return new JobVersion(Integer.parseInt(numbers.group(1)), minor == null ? 0 : Integer.parseInt(minor));
    }

    public boolean isOther() {
        return major < 0;
    }

    /** Returns the position among all versions that are made of numbers. */
    long place() {
        return place(major, minor);
    }

    static long place(long major, long minor) {
        return (major << VersionRange.MINOR_BITS) | minor;
    }

    @Override
    public String toString() {
        return isOther() ? "other" : "%d.%d".formatted(major, minor);
    }
}
