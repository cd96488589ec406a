package io.floodgate.topics.unique;

import java.util.Arrays;

/**
 * Whether JSON is spelled as {@link CanonicalJson} would spell it, by a look at its bytes. It says no where a look is not enough:
 * at white space, fractions, exponents, large numbers, escapes, and all that is not ASCII.
 */
final class CanonicalScan {
    /** A number of this many digits is a long. */
    private static final int MOST_DIGITS = 18;

    private final byte[] json;
    private int at;

    /** @param json well-formed */
    CanonicalScan(byte[] json) {
        this.json = json;
    }

    boolean isCanonical() {
        return value() && at == json.length;
    }

    private byte here() {
        return at < json.length ? json[at] : 0;
    }

    private boolean skip(char wanted) {
        if (here() != wanted) return false;
        at++;
        return true;
    }

    private boolean value() {
        return switch (here()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't', 'f', 'n' -> word();
            default -> integer();
        };
    }

    /** Its members rise. */
    private boolean object() {
        at++;
        if (skip('}')) return true;
        int lastFrom = at;
        int lastTo = at;
        do {
            int from = at;
            if (here() != '"' || !string()) return false;
            boolean isFirst = lastTo == lastFrom;
            // Without the quotes: the one behind a name is less than what a longer name has there.
            if (!isFirst && Arrays.compareUnsigned(json, lastFrom + 1, lastTo - 1, json, from + 1, at - 1) >= 0)
                return false;
            lastFrom = from;
            lastTo = at;
            if (!skip(':') || !value()) return false;
        } while (skip(','));
        return skip('}');
    }

    private boolean array() {
        at++;
        if (skip(']')) return true;
        do {
            if (!value()) return false;
        } while (skip(','));
        return skip(']');
    }

    private boolean string() {
        at++;
        while (here() != '"') {
            if (here() < ' ' || here() == '\\') return false;
            at++;
        }
        at++;
        return true;
    }

    private boolean word() {
        while (here() >= 'a' && here() <= 'z') at++;
        return true;
    }

    private boolean integer() {
        boolean isNegative = skip('-');
        int from = at;
        while (here() >= '0' && here() <= '9') at++;
        boolean isNegativeZero = isNegative && at > from && json[from] == '0';
        boolean isWhole = here() != '.' && here() != 'e' && here() != 'E';
        return at > from && at - from <= MOST_DIGITS && isWhole && !isNegativeZero;
    }
}
