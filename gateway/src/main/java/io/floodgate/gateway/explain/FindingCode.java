package io.floodgate.gateway.explain;

import java.util.Locale;

/** What a finding is about: stable, for programs. Each has a row in docs/reference/explanations.md, made from these texts. */
interface FindingCode {
    String name();

    int ordinal();

    /** The severities that it may have, as the documentation has it. */
    String severities();

    /** When it is true, with the thresholds. */
    String meaning();

    /** What an operator can do. */
    String advice();

    default String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
