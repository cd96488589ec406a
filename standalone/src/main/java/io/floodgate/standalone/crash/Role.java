package io.floodgate.standalone.crash;

import java.util.Locale;

/** What a process is there for. */
enum Role {
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
