package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rows of all commands. {@code -Dgolden.write} writes the table in the documentation. */
class CommandTypesTest {
    private static final String BEGIN = "<!-- operations: written by CommandTypesTest -->\n";
    private static final String END = "<!-- end of operations -->\n";

    /** All records of this package, and those inside of its interfaces, that are commands. */
    private static List<Class<?>> commands() throws Exception {
        List<Class<?>> commands = new ArrayList<>();
        Path classes = Path.of(Command.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve(Command.class.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(classes)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                Class<?> type = Class.forName(Command.class.getPackageName() + "."
                        + file.getFileName().toString().replace(".class", ""));
                if (Command.class.isAssignableFrom(type) && !type.isInterface()) commands.add(type);
            }
        }
        return commands;
    }

    private static List<String> operations() {
        return CommandTypes.all().stream()
                .flatMap(row -> row.operations().stream())
                .toList();
    }

    @Test
    void every_command_has_one_row() throws Exception {
        List<Class<?>> rows =
                CommandTypes.all().stream().<Class<?>>map(CommandType::type).toList();
        assertThat(rows).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(commands());
    }

    @Test
    void every_operation_has_a_sample_with_a_golden_file() {
        Set<String> sampled = Samples.commands().values().stream()
                .map(command -> CommandCodec.encode(command).op())
                .collect(Collectors.toSet());
        assertThat(operations()).doesNotHaveDuplicates();
        assertThat(new TreeSet<>(operations())).isEqualTo(new TreeSet<>(sampled));
    }

    @Test
    void every_row_reads_what_it_writes() throws Exception {
        for (Command command : Samples.commands().values()) {
            CommandCodec.Encoded encoded = CommandCodec.encode(command);
            assertThat(CommandTypes.of(command).operations()).contains(encoded.op());
            assertThat(CommandCodec.decode(encoded.op(), encoded.value())).hasSameClassAs(command);
            CommandCodec.check(command);
        }
    }

    @Test
    void clients_send_everything_but_messages() {
        for (CommandType<?> row : CommandTypes.all())
            assertThat(row.isMessage()).as("%s", row).isEqualTo(Message.class.isAssignableFrom(row.type()));
    }

    @Test
    void every_row_says_in_one_line_what_the_command_does() {
        for (CommandType<?> row : CommandTypes.all())
            assertThat(row.documentation()).as("%s", row).endsWith(".").hasSizeBetween(10, 120);
    }

    private static Path page() throws IOException {
        try (Stream<Path> pages = Files.walk(Path.of("..", "docs"))) {
            return pages.filter(page -> page.endsWith("log-protocol.md"))
                    .findAny()
                    .orElseThrow();
        }
    }

    private static String table() {
        StringBuilder out =
                new StringBuilder("| `ojs-op` | owner | class | query | what it does |\n|---|---|---|---|---|\n");
        for (CommandType<?> row : CommandTypes.all()) {
            String names = row.operations().stream().map("`%s`"::formatted).collect(Collectors.joining(", "));
            TrafficClass traffic = row.traffic();
            out.append("| %s | %s | %s | %s | %s |\n"
                    .formatted(
                            names,
                            row.owner().wire(),
                            traffic == null ? "message" : traffic.name().toLowerCase(Locale.ROOT),
                            row.isQuery() ? "yes" : "",
                            row.documentation()));
        }
        return out.toString();
    }

    @Test
    void the_page_has_the_table_of_all_operations() throws IOException {
        String page = Files.readString(page());
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        assertThat(begin).isGreaterThanOrEqualTo(BEGIN.length()).isLessThanOrEqualTo(end);
        if (System.getProperty("golden.write") != null)
            Files.write(page(), (page.substring(0, begin) + table() + page.substring(end)).getBytes(UTF_8));
        else assertThat(page.substring(begin, end)).isEqualTo(table());
    }

    /** In the tables that say what is in their values and in the replies. */
    @Test
    void the_page_describes_every_operation() throws IOException {
        String page = Files.readString(page());
        String described = page.substring(0, page.indexOf(BEGIN));
        Set<String> missing = new HashSet<>(operations());
        described
                .lines()
                .filter(line -> line.startsWith("| "))
                .flatMap(line ->
                        Arrays.stream(line.substring(2, line.indexOf(" | ")).split(", ")))
                .map(name -> name.replace("`", ""))
                .forEach(missing::remove);
        assertThat(missing).isEmpty();
    }
}
