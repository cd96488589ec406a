package io.floodgate.topics.template;

/** Says why nothing can be made of this by its template. */
public final class Unmappable extends Exception {
    private static final long serialVersionUID = 1L;

    public Unmappable(String why) {
        super(why, null, false, false);
    }
}
