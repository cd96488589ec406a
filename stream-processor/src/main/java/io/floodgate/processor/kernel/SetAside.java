package io.floodgate.processor.kernel;

/** Stub. */
public final class SetAside {
    public static final String WORK = "work";

    private SetAside() {}

    public record Subject(String kind, String name) {}
}
