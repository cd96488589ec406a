package io.floodgate.topics.cron;

import io.floodgate.topics.json.WireName;

/** What becomes of a run that is due while an earlier one of the same schedule is not finished (OJS cron §6). */
public enum OverlapPolicy implements WireName {
    SKIP,
    ALLOW,
    CANCEL_PREVIOUS,
    /** It waits in the queue, and is handed out once the earlier one has ended. */
    ENQUEUE
}
