package io.floodgate.verification.disk;

import java.util.Locale;

/** What a loss of power leaves of what was not synced. */
public enum Cut {
    /** Nothing. */
    NONE,
    /** The first writes of each file and a part of the next one, and the first changes of names. */
    PREFIX,
    /** Each page of 4 KiB and each change of a name by chance. */
    SUBSET;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
