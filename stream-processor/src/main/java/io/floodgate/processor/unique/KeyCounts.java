package io.floodgate.processor.unique;

import io.floodgate.processor.kernel.Undo;

/** How many entries keys have that begin with the same three digits: most have none, and need not be looked up. */
final class KeyCounts {
    private static final int DIGITS = 3;
    private static final int RADIX = 16;

    private final Undo undo;
    private int[] counts = none();
    private int all;

    KeyCounts(Undo undo) {
        this.undo = undo;
    }

    private static int[] none() {
        return new int[1 << (4 * DIGITS)];
    }

    private static int digitsOf(String fingerprint) {
        return Integer.parseInt(fingerprint, 0, DIGITS, RADIX);
    }

    int all() {
        return all;
    }

    /** False if the key has no entry for certain. */
    boolean mayHave(String fingerprint) {
        return counts[digitsOf(fingerprint)] > 0;
    }

    void add(String fingerprint, int by) {
        addAt(digitsOf(fingerprint), by);
        undo.by(() -> addAt(digitsOf(fingerprint), -by));
    }

    private void addAt(int digits, int by) {
        counts[digits] += by;
        all += by;
    }

    void clear() {
        int[] before = counts;
        int allBefore = all;
        counts = none();
        all = 0;
        undo.by(() -> {
            counts = before;
            all = allBefore;
        });
    }
}
