package io.floodgate.topics.schema;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version of a schema: up to three numbers, of which those that are missing are zero, and perhaps a pre-release. Versions
 * are ordered as by Semantic Versioning (OJS schema registry §6.3); {@code 2}, {@code 2.0} and {@code 2.0.0} are the same one.
 *
 * @param text as it was registered
 */
public record SchemaVersion(
        int major, int minor, int patch, @Nullable String pre, String text) implements Comparable<SchemaVersion> {
    private static final Pattern FORM =
            Pattern.compile("([0-9]{1,9})(?:\\.([0-9]{1,9}))?(?:\\.([0-9]{1,9}))?(?:-([0-9A-Za-z.-]{1,40}))?");
    private static final Comparator<SchemaVersion> BY_NUMBERS = Comparator.comparingInt(SchemaVersion::major)
            .thenComparingInt(SchemaVersion::minor)
            .thenComparingInt(SchemaVersion::patch);

    /** Empty for a text that is none. */
    public static Optional<SchemaVersion> parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) return Optional.empty();
        return Optional.of(new SchemaVersion(
                number(parts.group(1)), number(parts.group(2)), number(parts.group(3)), parts.group(4), text));
    }

    private static int number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    /** The name under which a version is stored: the same for all spellings of it. */
    public String canonical() {
        return pre == null
                ? "%d.%d.%d".formatted(major, minor, patch)
                : "%d.%d.%d-%s".formatted(major, minor, patch, pre.toLowerCase(Locale.ROOT));
    }

    /** Whether it has no more than a major number: administration shows such a version as a number. */
    public boolean isWhole() {
        return pre == null && text.indexOf('.') < 0;
    }

    @Override
    public int compareTo(SchemaVersion other) {
        int byNumbers = BY_NUMBERS.compare(this, other);
        if (byNumbers != 0) return byNumbers;
        if (pre == null || other.pre == null) return pre == null ? (other.pre == null ? 0 : 1) : -1;
        String[] mine = pre.toLowerCase(Locale.ROOT).split("\\.", -1);
        String[] others = other.pre.toLowerCase(Locale.ROOT).split("\\.", -1);
        for (int i = 0; i < Math.min(mine.length, others.length); i++) {
            int part = comparePart(mine[i], others[i]);
            if (part != 0) return part;
        }
        return Integer.compare(mine.length, others.length);
    }

    /** Numbers come before words. */
    private static int comparePart(String mine, String other) {
        boolean isNumber = mine.matches("[0-9]{1,18}");
        if (isNumber != other.matches("[0-9]{1,18}")) return isNumber ? -1 : 1;
        return isNumber ? Long.compare(Long.parseLong(mine), Long.parseLong(other)) : mine.compareTo(other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SchemaVersion version && compareTo(version) == 0;
    }

    @Override
    public int hashCode() {
        return canonical().hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
