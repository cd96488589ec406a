package io.floodgate.standalone;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.http.Extension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages that say where the requirements of a specification are implemented, and which tests show it. */
final class ConformancePagesTest {
    private static final Path PROJECT = Path.of("..");
    private static final Path PAGES = PROJECT.resolve("docs/reference/conformance");

    /** {@code queue/bound/Bounds}, {@code Bounds.reject} and {@code BoundsTest.drop_oldest}. */
    private static final Pattern CLASS = Pattern.compile("`((?:[a-z]+/)+)?([A-Z][A-Za-z]+)(?:\\.([A-Za-z_0-9]+))?`");

    private static final Path TABLE = PAGES.resolve("README.md");

    /** Document and extension; whether it is offered; what there is; pages; tests. */
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ([^|]*(?:ojs-|urn:)[^|]+) \\| ([a-z ]+) \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|$");

    private static final Pattern URI = Pattern.compile("urn:ojs:ext:[a-z:-]+");
    private static final Pattern NAMED = Pattern.compile("`[A-Z][A-Za-z]+Test`");
    private static final int DOCUMENTS_OF_OJS = 48;

    private final Map<String, List<Path>> sources = sources();

    @Test
    void the_table_has_a_row_for_each_document_with_pages_and_tests() {
        List<MatchResult> rows = rows();

        assertThat(rows.stream().map(row -> row.group(1)).filter(name -> name.startsWith("ojs-")))
                .hasSize(DOCUMENTS_OF_OJS)
                .doesNotHaveDuplicates();
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.group(2)).isIn("offered", "in part", "not offered");
            assertThat(row.group(4)).as("pages of %s", row.group(1)).contains("](");
            if (!row.group(2).equals("not offered"))
                assertThat(row.group(5)).as("tests of %s", row.group(1)).containsPattern(NAMED);
            if (!row.group(2).equals("offered"))
                assertThat(row.group(3)).as("what %s lacks", row.group(1)).isNotBlank();
        });
    }

    @Test
    void the_table_says_of_each_extension_what_the_manifest_says() {
        Map<String, String> ofTable = new TreeMap<>();
        for (MatchResult row : rows())
            URI.matcher(row.group(1)).results().forEach(uri -> ofTable.put(uri.group(), row.group(2)));
        Map<String, String> ofManifest = new TreeMap<>();
        for (Extension each : Extension.ALL) ofManifest.put(each.uri(), each.isWhole() ? "offered" : "in part");
        ofTable.values().removeIf("not offered"::equals);

        assertThat(ofTable).isEqualTo(ofManifest);
    }

    private static List<MatchResult> rows() {
        return ROW.matcher(read(TABLE)).results().toList();
    }

    @Test
    void every_class_that_a_page_names_with_its_package_is_there() throws IOException {
        assertThat(wrong(match -> match.group(1) == null || isIn(match.group(1), match.group(2))))
                .isEmpty();
    }

    @Test
    void every_test_that_a_page_names_exists() throws IOException {
        assertThat(wrong(match -> !match.group(2).endsWith("Test") || hasMethod(match.group(2), match.group(3))))
                .isEmpty();
    }

    private boolean isIn(String folders, String name) {
        return sources.getOrDefault(name, List.of()).stream()
                .anyMatch(source -> source.endsWith(folders + name + ".java"));
    }

    private boolean hasMethod(String test, String method) {
        return sources.getOrDefault(test, List.of()).stream()
                .anyMatch(source -> method == null || read(source).contains(" " + method + "("));
    }

    private static Set<String> wrong(Predicate<MatchResult> isRight) throws IOException {
        Set<String> wrong = new TreeSet<>();
        try (Stream<Path> pages = Files.list(PAGES)) {
            for (Path page : pages.toList())
                CLASS.matcher(read(page))
                        .results()
                        .filter(isRight.negate())
                        .forEach(match -> wrong.add(page.getFileName() + ": " + match.group()));
        }
        return wrong;
    }

    private static Map<String, List<Path>> sources() {
        try (Stream<Path> modules = Files.list(PROJECT)) {
            return modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(ConformancePagesTest::walk)
                    .filter(source -> source.toString().endsWith(".java"))
                    .collect(groupingBy(
                            source -> String.valueOf(source.getFileName()).replace(".java", "")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> walk(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
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
