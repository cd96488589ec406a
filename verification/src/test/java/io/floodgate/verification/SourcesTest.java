package io.floodgate.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The size of production classes, and their names, in all modules. An exception that is no longer needed fails, too. */
final class SourcesTest {
    private static final int MAX_LINES = 400;
    private static final int MAX_PARAMETERS = 8;

    /** Classes of more lines, with the reason. */
    private static final Map<String, String> LARGE = Map.of();

    /** Constructors and records of more parameters, with the reason. */
    private static final Map<String, String> WIDE = Map.ofEntries(
            Map.entry("GatewayContext", "what all operations of a gateway share: wiring, made in one place"),
            Map.entry("FetchLoop", "wiring of a worker, made in one place"),
            Map.entry("Dispatcher", "wiring of the gateway, made in one place"),
            Map.entry("Edge", "what the processor has of its surroundings: wiring, made in one place"),
            Map.entry("Route", "a row of a table, made by factories"),
            Map.entry("OjsEvent", "the fields of an event"),
            Map.entry("Event", "the fields of an event, and what it is marked with"),
            Map.entry("Jobs", "what jobs count in and are ordered by: wiring, made in one place"),
            Map.entry("EventSeen", "likewise, as far as they are judged"),
            Map.entry("Terms", "the optional fields of a job"),
            Map.entry("AskPermits", "the fields of a message"),
            Map.entry("AskGrants", "the fields of a message"),
            Map.entry("GiveGrants", "the fields of a message"),
            Map.entry("Transfer", "the fields of a message"),
            Map.entry("Parked", "the stored fields of a command that waits"),
            Map.entry("OwnerNote", "the fields of a message"),
            Map.entry("GivePermits", "the fields of a message"),
            Map.entry("Forward", "the fields of a message"),
            Map.entry("GatewayConfig", "settings"),
            Map.entry("HttpConfig", "settings"),
            Map.entry("WorkerConfig", "settings"),
            Map.entry("ChaosConfig", "settings"),
            Map.entry("Plan", "settings"),
            Map.entry("PartitionRecord", "the fields and headers of a record of ojs.commands"),
            Map.entry("Fixed", "what never changes of a stored workflow, or of a step of it"),
            Map.entry("WorkflowStep", "the fields of a step"),
            Map.entry("WaitingProducer", "the stored fields of a producer that waits"),
            Map.entry("IndexEntry", "the fields of a job that are kept in memory"),
            Map.entry("KeyRow", "the stored fields of a unique key"),
            Map.entry("KeyNote", "the fields of a message about a unique key"),
            Map.entry("Known", "what is kept in memory of a schedule"),
            Map.entry("Forwarder", "wiring: its clients of Kafka, and what a test replaces"));

    private static final Pattern NO_CODE = Pattern.compile(
            "\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])+'|/\\*.*?\\*/|//[^\\n]*",
            Pattern.DOTALL);
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|enum)\\s+([A-Z]\\w*)");
    private static final Pattern RECORD = Pattern.compile("\\brecord\\s+([A-Z]\\w*)(?:<[^{(]*>)?\\s*\\(");
    private static final Pattern CALL = Pattern.compile("(?<![\\w.])([A-Z]\\w*)\\s*\\(");

    private static List<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            List<Path> sources = new ArrayList<>();
            for (Path module : modules.map(each -> each.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(module)) {
                    files.filter(file -> file.toString().endsWith(".java")
                                    && !file.endsWith("package-info.java")
                                    && !file.endsWith("module-info.java"))
                            .forEach(sources::add);
                }
            }
            return sources;
        }
    }

    private static String name(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }

    @Test
    void no_two_classes_have_the_same_simple_name() throws IOException {
        Map<String, List<Path>> byName =
                new TreeMap<>(sources().stream().collect(Collectors.groupingBy(SourcesTest::name)));
        byName.values().removeIf(files -> files.size() == 1);
        assertThat(byName).isEmpty();
    }

    @Test
    void no_class_is_larger_than_400_lines() throws IOException {
        Set<String> large = new TreeSet<>();
        for (Path source : sources()) if (Files.readAllLines(source).size() > MAX_LINES) large.add(name(source));
        assertThat(large).isEqualTo(new TreeSet<>(LARGE.keySet()));
    }

    @Test
    void no_constructor_or_record_has_more_than_8_parameters() throws IOException {
        Set<String> wide = new TreeSet<>();
        for (Path source : sources()) wide.addAll(wide(Files.readString(source)));
        assertThat(wide).isEqualTo(new TreeSet<>(WIDE.keySet()));
    }

    @Test
    void parameters_are_counted() {
        assertThat(wide("record A(Map<String, Integer> a, int b, int c, int d, int e, int f, int g, int h) {}"))
                .isEmpty();
        assertThat(wide("record A(int a, int b, int c, int d, int e, int f, int g, int h, @X(\"1,2\") int i) {}"))
                .containsExactly("A");
        assertThat(wide("class A { A(int a, int b, int c, int d, int e, int f, int g, int h, int i) {} }"))
                .containsExactly("A");
        assertThat(wide("class A { A a = new A(1, 2, 3, 4, 5, 6, 7, 8, 9); }")).isEmpty();
    }

    private static Set<String> wide(String source) {
        String code = NO_CODE.matcher(source).replaceAll("");
        Set<String> types =
                TYPE.matcher(code).results().map(type -> type.group(1)).collect(Collectors.toSet());
        Set<String> wide = new HashSet<>();
        for (Matcher header = RECORD.matcher(code); header.find(); )
            if (parameters(code, header.end()) > MAX_PARAMETERS) wide.add(header.group(1));
        for (Matcher call = CALL.matcher(code); call.find(); ) {
            boolean isCreation = code.substring(0, call.start()).endsWith("new ");
            if (isCreation || !types.contains(call.group(1)) || !hasBody(code, call.end())) continue;
            if (parameters(code, call.end()) > MAX_PARAMETERS) wide.add(call.group(1));
        }
        return wide;
    }

    private static boolean hasBody(String code, int from) {
        String rest = code.substring(end(code, from) + 1).stripLeading();
        return rest.startsWith("{") || rest.startsWith("throws ");
    }

    /** Of the parenthesis that has opened before. */
    private static int end(String code, int from) {
        int depth = 1;
        for (int i = from; ; i++) {
            char c = code.charAt(i);
            if (c == '(') depth++;
            if (c == ')' && --depth == 0) return i;
        }
    }

    private static int parameters(String code, int from) {
        String list = code.substring(from, end(code, from));
        if (list.isBlank()) return 0;
        int count = 1;
        int depth = 0;
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            if (c == '(' || c == '<' || c == '[') depth++;
            if (c == ')' || c == '>' || c == ']') depth--;
            if (c == ',' && depth == 0) count++;
        }
        return count;
    }
}
