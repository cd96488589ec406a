package io.floodgate.standalone;

/** How much tests may do (docs/contributing/verification.md). */
final class Effort {
    private Effort() {}

    /** In the gate, which has less time. */
    static boolean isLittle() {
        return Double.parseDouble(System.getProperty("search.effort", "1")) < 1;
    }
}
