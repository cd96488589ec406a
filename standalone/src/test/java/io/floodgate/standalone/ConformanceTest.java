package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the tables of conformance say is shown by tests, is: every test that they name is there. */
final class ConformanceTest {
    private static final Path TABLES = Path.of("../docs/reference/conformance");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|Examples))\\.(\\w+)`");
    private static final Map<String, String> SHORT = Map.of("Examples", "BackpressureExamplesTest");
    private static final Pattern METHOD = Pattern.compile("void (\\w+)\\(");

    @Test
    void every_test_that_is_named_is_there() throws Exception {
        Set<String> named = new LinkedHashSet<>();
        for (Path table : files(TABLES, ".md"))
            TEST.matcher(Files.readString(table))
                    .results()
                    .forEach(test -> named.add(SHORT.getOrDefault(test.group(1), test.group(1)) + "." + test.group(2)));
        Set<String> there = new LinkedHashSet<>();
        for (Path source : tests())
            METHOD.matcher(Files.readString(source))
                    .results()
                    .forEach(method ->
                            there.add(source.getFileName().toString().replace(".java", "") + "." + method.group(1)));

        assertThat(named).isNotEmpty();
        assertThat(there).containsAll(named);
    }

    private static List<Path> tests() throws IOException {
        List<Path> tests = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path module :
                    modules.map(each -> each.resolve("src/test/java")).toList())
                if (Files.isDirectory(module)) tests.addAll(files(module, "Test.java"));
        }
        return tests;
    }

    private static List<Path> files(Path root, String end) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(file -> file.toString().endsWith(end)).toList();
        }
    }
}
