package io.floodgate.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order of packages as the sources say it: in classes, constants of another package are not seen any more. */
class PackageImportsTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final String QUEUE = "io.floodgate.processor.queue";

    @Test
    void packages_of_queues_do_not_import_each_other_in_a_circle() throws IOException {
        assertThat(order(imports(
                        Pattern.compile("^import (?:static )?(" + Pattern.quote(QUEUE) + "(?:\\.[a-z]+)?)\\.[A-Z]"),
                        QUEUE)))
                .isEmpty();
    }

    @Test
    void packages_of_the_processor_do_not_import_each_other_in_a_circle() throws IOException {
        Pattern import_ = Pattern.compile("^import (?:static )?(io\\.floodgate\\.processor\\.[a-z]+)\\b");
        assertThat(order(imports(import_, "io.floodgate.processor."))).isEmpty();
    }

    @Test
    void a_circle_is_found() {
        Map<String, Set<String>> imports = new TreeMap<>();
        imports.put("a", new TreeSet<>(Set.of("b", "d")));
        imports.put("b", new TreeSet<>(Set.of("c")));
        imports.put("c", new TreeSet<>(Set.of("a")));
        imports.put("d", new TreeSet<>());
        assertThat(order(imports)).containsExactlyInAnyOrder("a", "b", "c");
    }

    private static Map<String, Set<String>> imports(Pattern pattern, String root) throws IOException {
        Map<String, Set<String>> imports = new TreeMap<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String name = SOURCES.relativize(file.getParent()).toString().replace('/', '.');
                if (!name.startsWith(root)) continue;
                // As deep as the pattern names packages.
                Matcher own = pattern.matcher("import " + name + ".A");
                if (!own.find()) continue;
                Set<String> to = imports.computeIfAbsent(own.group(1), any -> new TreeSet<>());
                for (String line : Files.readAllLines(file)) {
                    Matcher matcher = pattern.matcher(line);
                    if (matcher.find() && !matcher.group(1).equals(own.group(1))) to.add(matcher.group(1));
                }
            }
        }
        assertThat(imports).hasSizeGreaterThan(5);
        return imports;
    }

    /** Takes out what imports nothing that is left; what remains imports each other in a circle, or imports one. */
    private static List<String> order(Map<String, Set<String>> imports) {
        Map<String, Set<String>> left = new TreeMap<>(imports);
        while (left.values().removeIf(to -> to.stream().noneMatch(left::containsKey))) {
            // the next ones may be free now
        }
        return new ArrayList<>(left.keySet());
    }
}
