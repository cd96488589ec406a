package io.floodgate.standalone;

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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The table of buffers, and the code. */
final class BuffersTest {
    private static final Path PAGE = Path.of("../docs/reference/buffers.md");
    private static final List<String> MODULES =
            List.of("client", "gateway", "standalone", "stream-processor", "topics", "webhooks", "worker-runtime");

    /** What something can wait in, and threads that have such a thing. */
    private static final Pattern QUEUES = Pattern.compile(
            "new (\\w*(?:Queue|Deque)|LinkedList)<|Executors\\.new(?:Fixed|Cached|WorkStealing|Single)\\w*ThreadPool|Executors\\.newSingleThreadExecutor");

    private static final Map<String, String> SOURCES = new TreeMap<>();
    private static final List<List<String>> ROWS = new ArrayList<>();
    private static final Set<String> PASSING = new TreeSet<>();

    @BeforeAll
    static void read() throws IOException {
        for (String module : MODULES)
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList())
                    SOURCES.merge(
                            file.getFileName().toString().replace(".java", ""), Files.readString(file), String::concat);
            }
        String section = section(Files.readString(PAGE));
        for (String line : section.lines().toList()) {
            if (line.startsWith("| `"))
                ROWS.add(Stream.of(line.split("\\|")).skip(1).map(String::strip).toList());
            if (line.startsWith("Queues that live"))
                Pattern.compile("`(\\w+)`")
                        .matcher(line)
                        .results()
                        .map(found -> found.group(1))
                        .forEach(PASSING::add);
        }
    }

    private static String nameIn(String cell) {
        return Pattern.compile("`(\\w+)`")
                .matcher(cell)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    @Test
    void whatever_creates_a_queue_is_in_the_table() {
        Set<String> listed = new TreeSet<>(PASSING);
        ROWS.forEach(row -> listed.add(nameIn(row.get(0))));
        Set<String> creating = new TreeSet<>();
        SOURCES.forEach((name, source) -> {
            if (QUEUES.matcher(source).find()) creating.add(name);
        });

        assertThat(creating).as("classes with queues").isNotEmpty();
        creating.removeAll(listed);
        assertThat(creating)
                .as("give each a bound, a figure, and an answer for when it is full, and add it to " + PAGE)
                .isEmpty();
    }

    @Test
    void whatever_is_in_the_table_is_there_with_a_bound_and_an_answer() {
        assertThat(ROWS).hasSizeGreaterThan(20);
        for (List<String> row : ROWS) {
            assertThat(SOURCES).containsKey(nameIn(row.get(0)));
            assertThat(row).hasSize(5).allSatisfy(cell -> assertThat(cell).isNotEmpty());
        }
        assertThat(SOURCES.keySet()).containsAll(PASSING);
    }

    @Test
    void each_channel_is_shown_by_a_client() {
        String all = String.join("\n", SOURCES.values());
        for (List<String> row : ROWS)
            for (MatchResult channel : Pattern.compile("channel=\"(\\w+)\"")
                    .matcher(row.get(4))
                    .results()
                    .toList())
                assertThat(Pattern.compile("(?:\\.add|saturation)\\(\\s*\"" + channel.group(1) + "\"")
                                .matcher(all)
                                .find())
                        .as(channel.group(1))
                        .isTrue();
    }

    @Test
    void no_queue_is_created_without_a_bound_of_its_own_where_threads_wait_for_it() {
        SOURCES.forEach((name, source) -> assertThat(source)
                .as(name)
                .doesNotContain("newCachedThreadPool", "newFixedThreadPool", "newSingleThreadExecutor"));
    }

    private static String section(String page) {
        String heading = "\n## Buffers\n";
        int from = page.indexOf(heading) + heading.length();
        int to = page.indexOf("\n## ", from);
        return page.substring(from, to < 0 ? page.length() : to);
    }
}
