package io.floodgate.verification.process;

import io.floodgate.standalone.Floodgate;
import java.io.IOException;

/** Floodgate in a process that ends when its parent does, however that comes about: the pipe between them breaks. */
public final class ChildMain {
    private ChildMain() {}

    public static void main(String... arguments) {
        endWithParent();
        Floodgate.main(arguments);
    }

    public static void endWithParent() {
        Thread.ofPlatform().name("parent").daemon().start(ChildMain::awaitParentsEnd);
    }

    private static void awaitParentsEnd() {
        try {
            while (System.in.read() >= 0) {
                // nothing is ever written; the end is what counts
            }
        } catch (IOException broken) {
            // the same
        }
        Runtime.getRuntime().halt(1);
    }
}
