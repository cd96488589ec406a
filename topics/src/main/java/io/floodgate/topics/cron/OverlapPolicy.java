package io.floodgate.topics.cron;

import java.util.Locale;
import java.util.Optional;

/** What becomes of a run that is due while an earlier one of the same schedule is not finished (OJS cron §6). */
public enum OverlapPolicy {
    SKIP,
    ALLOW,
    CANCEL_PREVIOUS,
    /** It waits in the queue, and is handed out once the earlier one has ended. */
    ENQUEUE;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<OverlapPolicy> parse(String text) {
        for (OverlapPolicy policy : values()) if (policy.wire().equals(text)) return Optional.of(policy);
        return Optional.empty();
    }
}
