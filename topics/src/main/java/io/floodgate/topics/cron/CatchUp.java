package io.floodgate.topics.cron;

import io.floodgate.topics.json.WireName;

/** What becomes of runs that were due while nothing could be decided. */
public enum CatchUp implements WireName {
    /** The last of them is run, if it is not too late; the others are skipped. */
    LATEST,
    /** None is run that is late by more than a minute. */
    NONE,
    /** All are run, the oldest first, a hundred at most. */
    ALL
}
