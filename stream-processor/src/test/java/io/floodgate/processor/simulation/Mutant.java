package io.floodgate.processor.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A rule broken on purpose: one place in the source of Floodgate that says something else.
 *
 * @param what the rule that no longer holds
 * @param source the file, from the root of the project
 * @param original what stands there, once
 * @param broken what shall stand there instead
 * @param search the search that is to find it
 * @param near the seed to begin with: some are found by few seeds only, and every seed before them costs time
 */
record Mutant(String what, String source, String original, String broken, Search search, int near) {
    private static final String PROCESSOR = "stream-processor/src/main/java/io/floodgate/processor/";
    private static final String TOPICS = "topics/src/main/java/io/floodgate/topics/";

    /** Who looks for it, and for how long at most. */
    enum Search {
        WALK,
        REPLAY,
        SIMULATION,
        CROWDS,
        LOSSES,
        LIMITS,
        CURSES
    }

    static Mutant of(Search search, String what, String file, String original, String broken) {
        String source = file.startsWith("topics/") ? TOPICS + file.substring("topics/".length()) : PROCESSOR + file;
        return new Mutant(what, source + ".java", original, broken, search, 0);
    }

    Mutant near(int seed) {
        return new Mutant(what, source, original, broken, search, seed);
    }

    /** The name of the class in the file. */
    String className() {
        String path = source.substring(source.indexOf("io/floodgate"), source.length() - ".java".length());
        return path.replace('/', '.');
    }

    /** The broken source; fails when the rule is no longer written like that, for then the mutant must follow. */
    String mutatedSource() {
        try {
            String text = Files.readString(root().resolve(source));
            int at = text.indexOf(original);
            if (at < 0 || text.indexOf(original, at + 1) >= 0)
                throw new AssertionError("'%s' is not once in %s".formatted(original, source));
            return text.replace(original, broken);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tests run in the directory of their module. */
    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("stream-processor")) ? here : here.getParent();
    }

    @Override
    public String toString() {
        return what;
    }
}
