package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ArchitecturePageTest {
    private static final Path PROJECT = Path.of("..");

    /** {@code Jobs}, and {@code Jobs.apply}. */
    private static final Pattern CLASS = Pattern.compile("`([A-Z][A-Za-z]+)(?:\\.([a-z][A-Za-z]*))?`");

    @Test
    void every_class_that_the_page_names_exists() throws IOException {
        Set<String> named = CLASS.matcher(page())
                .results()
                .map(match -> match.group(1))
                .filter(name -> !name.endsWith("Test"))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> there = sources("main").map(ArchitecturePageTest::className).collect(Collectors.toSet());
        // What is declared inside of a file of its family.
        Set<String> nested = Set.of("Started", "Completed");

        named.removeAll(there);
        named.removeAll(nested);
        assertThat(named).isEmpty();
    }

    @Test
    void every_method_that_the_page_names_exists() throws IOException {
        Set<String> missing = new TreeSet<>();
        for (MatchResult match : CLASS.matcher(page()).results().toList()) {
            String method = match.group(2);
            if (method == null) continue;
            boolean isThere = sources("main")
                    .filter(source -> className(source).equals(match.group(1)))
                    .anyMatch(source -> read(source).contains(" " + method + "("));
            if (!isThere) missing.add(match.group());
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void every_test_that_the_page_names_exists() throws IOException {
        Set<String> named = CLASS.matcher(page())
                .results()
                .map(match -> match.group(1))
                .filter(name -> name.endsWith("Test"))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> there = sources("test").map(ArchitecturePageTest::className).collect(Collectors.toSet());

        named.removeAll(there);
        assertThat(named).isEmpty();
    }

    private static String page() {
        return read(PROJECT.resolve("docs/explanation/architecture.md"));
    }

    private static String className(Path source) {
        return String.valueOf(source.getFileName()).replace(".java", "");
    }

    private static Stream<Path> sources(String kind) throws IOException {
        try (Stream<Path> modules = Files.list(PROJECT)) {
            return modules
                    .map(module -> module.resolve("src").resolve(kind).resolve("java"))
                    .filter(Files::isDirectory)
                    .flatMap(ArchitecturePageTest::walk)
                    .filter(file -> file.toString().endsWith(".java"))
                    .toList()
                    .stream();
        }
    }

    private static Stream<Path> walk(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
