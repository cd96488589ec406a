package io.floodgate.verification.fault;

import io.floodgate.verification.disk.Cut;
import java.util.Locale;

/** What is done to an installation. */
enum MachineFault {
    POWER_NONE(true, DiskFault.cut(Cut.NONE)),
    POWER_PREFIX(true, DiskFault.cut(Cut.PREFIX)),
    POWER_SUBSET(true, DiskFault.cut(Cut.SUBSET)),
    POWER_NONE_EARLY(true, DiskFault.cut(Cut.NONE)),
    POWER_PREFIX_EARLY(true, DiskFault.cut(Cut.PREFIX)),
    POWER_SUBSET_EARLY(true, DiskFault.cut(Cut.SUBSET)),
    DISK_FULL(false, DiskFault.fail("write", "ENOSPC")),
    DISK_SLOW(false, DiskFault.slow()),
    DISK_ERROR_READ(false, DiskFault.fail("read", "EIO")),
    DISK_ERROR_WRITE(false, DiskFault.fail("write", "EIO")),
    DISK_ERROR_SYNC(false, DiskFault.fail("sync", "EIO")),
    BIT_FLIP_LOG(true, new BitFlip("(ojs\\.|__)[^/]*-\\d+/\\d{20}\\.log")),
    BIT_FLIP_CHANGELOG(true, new BitFlip("[^/]*-changelog-\\d+/\\d{20}\\.log")),
    BIT_FLIP_CHECKPOINT(true, new BitFlip("([^/]*checkpoint|quorum-state|partition\\.metadata|[^/]*\\.snapshot)")),
    BIT_FLIP_STORE(true, new BitFlip("stores/[^/]+")),
    BIT_FLIPS_STORE(true, new BitFlip("stores/\\d+\\.(log|sst)", true));

    private final boolean kills;

    @SuppressWarnings("ImmutableEnumChecker") // it keeps nothing
    private final DiskFault strike;

    MachineFault(boolean kills, DiskFault strike) {
        this.kills = kills;
        this.strike = strike;
    }

    DiskFault strike() {
        return strike;
    }

    /** Whether processes are killed before, and started after it; if not, they run while it lasts. */
    boolean kills() {
        return kills;
    }

    /** It happens while new folders are filled, and not under load. */
    boolean isEarly() {
        return name().endsWith("_EARLY");
    }

    /** Whether a node looks for it at each start. */
    boolean mustBeReported() {
        return this == BIT_FLIP_LOG || this == BIT_FLIP_CHANGELOG;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
