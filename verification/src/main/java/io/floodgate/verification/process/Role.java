package io.floodgate.verification.process;

import java.util.Locale;

/** What a process is there for. */
public enum Role {
    BROKER,
    PROCESSOR,
    GATEWAY,
    /** All of it in one process: {@code floodgate up}. */
    NODE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
