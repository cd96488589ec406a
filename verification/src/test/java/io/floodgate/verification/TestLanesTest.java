package io.floodgate.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The lanes of {@code ./floodgate test}, seen over all modules. A test without a tag is in every lane but the long one, so a
 * test can leave the gate only by a name that is not looked for, or by a tag that a lane leaves out.
 */
final class TestLanesTest {
    private static final Path ROOT = Path.of("..");

    /** {@code server}: starts Kafka or processes; {@code search}: tries many seeds; {@code long}: for the gate and the long lane. */
    private static final Set<String> TAGS = Set.of("server", "search", "long");

    private static final Pattern TAG = Pattern.compile("(?m)^ *@Tag\\(([^)]*)\\)$");
    private static final Pattern TEST = Pattern.compile("(?m)^ *@(Test|ParameterizedTest|RepeatedTest|ArchTest)\\b");

    private static final Map<Path, String> SOURCES = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException {
        List<Path> roots = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .forEach(roots::add);
        }
        for (Path root : roots)
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList())
                    SOURCES.put(file, Files.readString(file));
            }
        assertThat(roots).hasSizeGreaterThanOrEqualTo(8);
    }

    @Test
    void every_class_with_tests_has_a_name_that_the_build_looks_for() {
        assertThat(SOURCES).allSatisfy((file, source) -> {
            if (TEST.matcher(source).find() && !source.contains("abstract class"))
                assertThat(file.getFileName().toString()).endsWith("Test.java");
        });
    }

    @Test
    void every_tag_is_that_of_a_lane() {
        assertThat(SOURCES)
                .allSatisfy((file, source) -> assertThat(
                                TAG.matcher(source).results().map(tag -> tag.group(1)))
                        .as(file.toString())
                        .allMatch(tag -> TAGS.contains(tag.replace("\"", ""))));
    }

    @Test
    void other_modules_than_those_with_a_broker_start_no_processes() {
        assertThat(SOURCES.entrySet().stream()
                        .filter(each -> !each.getKey().startsWith(ROOT.resolve("standalone"))
                                && !each.getKey().startsWith(ROOT.resolve("verification")))
                        .filter(each -> each.getValue().contains("new ProcessBuilder"))
                        .map(each -> each.getKey().getFileName().toString()))
                // keytool makes the certificates of tests.
                .containsOnly("Certificates.java", "ClientAuthority.java");
    }

    @Test
    void what_starts_processes_here_is_for_the_long_lane() {
        assertThat(SOURCES).allSatisfy((file, source) -> {
            if (file.startsWith(ROOT.resolve("verification"))
                    && Pattern.compile("new (Crash|Outage|Hostile|Limits|Cluster|Chaos)\\w*Run\\(")
                            .matcher(source)
                            .find()) assertThat(source).as(file.toString()).contains("@Tag(\"long\")");
        });
    }

    @Test
    void lanes_leave_out_what_they_say_and_the_gate_leaves_out_nothing() throws IOException {
        String launcher = Files.readString(ROOT.resolve("floodgate"));
        assertThat(tagsOf(launcher, "-DexcludedGroups=")).containsExactly("server | long", "long");
        assertThat(tagsOf(launcher, "-Dgroups=")).containsExactly("search | long");
        assertThat(Files.readString(ROOT.resolve(".ci/run"))).contains("./floodgate test --all");
        try (Stream<Path> files = Files.list(ROOT)) {
            for (Path module :
                    files.filter(each -> Files.exists(each.resolve("pom.xml"))).toList())
                assertThat(Files.readString(module.resolve("pom.xml"))).doesNotContain("excludedGroups", "<groups>");
        }
        assertThat(Files.readString(ROOT.resolve("pom.xml"))).doesNotContain("excludedGroups", "<groups>");
    }

    private static List<String> tagsOf(String launcher, String property) {
        return Pattern.compile(Pattern.quote(property) + "'([a-z |]*)'")
                .matcher(launcher)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
