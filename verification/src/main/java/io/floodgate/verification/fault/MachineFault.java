package io.floodgate.verification.fault;

import io.floodgate.verification.disk.Cut;
import java.util.Locale;

/** What is done to an installation. */
enum MachineFault {
    POWER_NONE(Cut.NONE, false),
    POWER_PREFIX(Cut.PREFIX, false),
    POWER_SUBSET(Cut.SUBSET, false),
    POWER_NONE_EARLY(Cut.NONE, true),
    POWER_PREFIX_EARLY(Cut.PREFIX, true),
    POWER_SUBSET_EARLY(Cut.SUBSET, true);

    private final Cut cut;
    private final boolean early;

    MachineFault(Cut cut, boolean early) {
        this.cut = cut;
        this.early = early;
    }

    Cut cut() {
        return cut;
    }

    /** It happens while new folders are filled, and not under load. */
    boolean isEarly() {
        return early;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
