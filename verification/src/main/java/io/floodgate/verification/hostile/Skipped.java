package io.floodgate.verification.hostile;

/** An attack cannot be tried here, for a reason that lies outside of Floodgate. */
public final class Skipped extends Exception {
    private static final long serialVersionUID = 1L;

    public Skipped(String why) {
        super(why);
    }
}
