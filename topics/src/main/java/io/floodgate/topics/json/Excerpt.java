package io.floodgate.topics.json;

/** The beginning of a text from a client: as much as a reader needs to recognise it. */
public final class Excerpt {
    /** So much of what was sent is said again in a rejection, an event or a log line. */
    public static final int CHARS = 200;

    private Excerpt() {}

    public static String of(String text) {
        return of(text, CHARS);
    }

    /** The text, or its beginning with a mark that there was more. */
    public static String of(String text, int most) {
        if (text.length() <= most) return text;
        return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most) + "…";
    }
}
