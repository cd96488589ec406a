package io.floodgate.processor.simulation;

/** The letter of a stored key that says what it is about (see {@code Keys}). */
final class Kind {
    static final char OUTBOX = 'O';

    private Kind() {}

    static char of(byte[] key) {
        return (char) key[0];
    }
}
