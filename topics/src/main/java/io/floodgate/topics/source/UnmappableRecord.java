package io.floodgate.topics.source;

/** Says why a record cannot become a job. */
public final class UnmappableRecord extends Exception {
    private static final long serialVersionUID = 1L;

    UnmappableRecord(String why) {
        super(why, null, false, false);
    }
}
