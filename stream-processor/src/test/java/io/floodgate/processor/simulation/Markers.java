package io.floodgate.processor.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The lines {@code // mutant: some-name} in production code: each marks the code after it as what mutants of that name change. */
final class Markers {
    private static final Pattern ANY = Pattern.compile("//\\s*mutants?\\b[^\\n]*", Pattern.CASE_INSENSITIVE);
    private static final Pattern MARKER = Pattern.compile("// mutant: ([a-z0-9]+(?:-[a-z0-9]+)*)");
    private static final Markers ALL = new Markers(projectRoot());

    private final Path root;
    private final Map<String, List<Place>> byName = new TreeMap<>();
    private final List<String> malformed = new ArrayList<>();

    /**
     * @param shown the file and the line
     * @param end where the marker ends in the file
     */
    record Place(Path file, String shown, int end) {
        String text() {
            return read(file);
        }

        @Override
        public String toString() {
            return shown;
        }
    }

    /** @param root the directory that has those of the modules */
    Markers(Path root) {
        this.root = root;
        try (Stream<Path> modules = Files.list(root)) {
            for (Path main : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::exists)
                    .sorted()
                    .toList()) {
                try (Stream<Path> files = Files.walk(main)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .sorted()
                            .forEach(this::find);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Markers all() {
        return ALL;
    }

    private void find(Path file) {
        String text = read(file);
        Matcher found = ANY.matcher(text);
        while (found.find()) {
            long line = 1
                    + text.substring(0, found.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            Place place = new Place(file, root.relativize(file) + ":" + line, found.end());
            Matcher marker = MARKER.matcher(found.group());
            boolean isAlone = text.substring(text.lastIndexOf('\n', found.start()) + 1, found.start())
                    .isBlank();
            if (marker.matches() && isAlone)
                byName.computeIfAbsent(marker.group(1), name -> new ArrayList<>())
                        .add(place);
            else malformed.add(place + " '" + found.group() + "'");
        }
    }

    /** Comments that look like markers and are none. */
    List<String> malformed() {
        return malformed;
    }

    Map<String, List<Place>> byName() {
        return byName;
    }

    /** The place of a marker that must be there once. */
    Place of(String name) {
        List<Place> places = byName.getOrDefault(name, List.of());
        if (places.size() == 1) return places.getFirst();
        throw new AssertionError(
                places.isEmpty()
                        ? "No line '// mutant: %s' in the sources: put it above the code that the mutant is to change, or remove the mutant."
                                .formatted(name)
                        : "'// mutant: %s' is there %d times: give each place a name of its own, or remove the copy: %s"
                                .formatted(name, places.size(), places));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tests run in the directory of their module. */
    private static Path projectRoot() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("stream-processor")) ? here : here.getParent();
    }
}
