package io.floodgate.processor.simulation;

/** The letter of a stored key that says what it is about (see {@code Keys}). */
final class Kind {
    static final char OUTBOX = 'O';

    private Kind() {}

    /** It follows the name of the log: a zero for the commands topic, a one and the topic for any other. */
    static char of(byte[] key) {
        return (char) key[key[0] == 0 ? 1 : 2 + key[1]];
    }
}
