package io.floodgate.topics.json;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** What a client may have meant by a name that does not exist. */
public final class NearestName {
    /** A longer name is no misspelling: comparing it would only take time. */
    private static final int MOST_CHARS = 64;

    /** By how much the lengths of a name and its misspelling differ at most. */
    private static final int MOST_MARKS = 4;

    private NearestName() {}

    /**
     * The known name that {@link #misspelled was meant}, or takes the fewest changes of a letter, at most one for three
     * letters; else one that continues it.
     */
    public static Optional<String> of(String name, Collection<String> known) {
        if (name.length() < 2 || name.length() > MOST_CHARS) return Optional.empty();
        Optional<String> meant = misspelled(name, known);
        if (meant.isPresent()) return meant;
        Optional<String> nearest = Optional.empty();
        Optional<String> longer = Optional.empty();
        int fewest = name.length() / 3 + 1;
        for (String each : new TreeSet<>(known)) {
            int changes = changes(name, each);
            if (changes < fewest) {
                fewest = changes;
                nearest = Optional.of(each);
            }
            if (longer.isEmpty() && (each.startsWith(name + "_") || name.startsWith(each + "_")))
                longer = Optional.of(each);
        }
        return nearest.isPresent() ? nearest : longer;
    }

    /**
     * The known name that was surely meant: it differs in nothing but case, underscores and hyphens, in one letter of at least
     * six, or in two of at least ten. For bodies whose senders may have fields of their own.
     */
    public static Optional<String> misspelled(String name, Collection<String> known) {
        if (name.length() > MOST_CHARS || known.contains(name)) return Optional.empty();
        String plain = plain(name);
        for (String each : new TreeSet<>(known)) {
            if (Math.abs(name.length() - each.length()) > MOST_MARKS) continue;
            String other = plain(each);
            int letters = Math.max(plain.length(), other.length());
            int most = letters < 6 ? 0 : letters < 10 ? 1 : 2;
            if (changes(plain, other) <= most) return Optional.of(each);
        }
        return Optional.empty();
    }

    private static String plain(String name) {
        return name.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
    }

    /** As the last sentence of an error; empty if no name is near. */
    public static String meant(String name, Collection<String> known) {
        return of(name, known).map(" Did you mean '%s'?"::formatted).orElse("");
    }

    /** Letters that are added, left out or replaced. */
    private static int changes(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) row[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
