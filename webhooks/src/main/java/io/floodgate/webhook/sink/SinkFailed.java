package io.floodgate.webhook.sink;

/** A sink cannot write for now, for a reason that its owner can mend. */
final class SinkFailed extends Exception {
    private static final long serialVersionUID = 1L;

    SinkFailed(String why) {
        super(why, null, false, false);
    }
}
