package io.floodgate.topics.queue;

import java.util.List;

/** Names that are meant by patterns, in which {@code *} stands for any characters. */
public final class NamePatterns {
    private NamePatterns() {}

    public static boolean match(List<String> patterns, String name) {
        for (String pattern : patterns) if (matches(pattern, name)) return true;
        return false;
    }

    /** What stands between two stars is taken where it comes first: that never misses a match. */
    private static boolean matches(String pattern, String text) {
        int star = pattern.indexOf('*');
        if (star < 0) return pattern.equals(text);
        if (!text.startsWith(pattern.substring(0, star))) return false;
        int at = star;
        int from = star + 1;
        for (int next = pattern.indexOf('*', from); next >= 0; next = pattern.indexOf('*', from)) {
            int found = text.indexOf(pattern.substring(from, next), at);
            if (found < 0) return false;
            at = found + next - from;
            from = next + 1;
        }
        String end = pattern.substring(from);
        return text.length() - at >= end.length() && text.endsWith(end);
    }
}
