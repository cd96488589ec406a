package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.standalone.settings.SettingSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** All pages: the README, those in docs/, and those beside it. */
final class DocumentationTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Path DOCS = PROJECT.resolve("docs");
    private static final Path INDEX = DOCS.resolve("README.md");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\n]*`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern SECTION = Pattern.compile("(?m)^## (.*)$");
    private static final Pattern SCHEME = Pattern.compile("[a-z]+:.*");

    private static final String HIDING = "whoever|somebody|nobody|anew|so many|so long(?! as)|hears";

    /** Words that hide who does what, and metaphors for which there is a term. */
    private static final Pattern BANNED = Pattern.compile(
            "\\b(" + HIDING + "|so long|everybody|anybody|told|tells|hear of|heard of|once more"
                    + "|gone through|carried out|carries out|carry out|carrying out"
                    + "|refus(?:e|es|ed|al|als|ing)|set aside|sets aside|superseded|choosy|inlets?|desks?|letters?|nameplate"
                    + "|out of the race|pieces? of work|parcels?|breather|timetable"
                    + "|burials?|resurrections?|rules? version|version of the rules)\\b",
            Pattern.CASE_INSENSITIVE);

    /** Those of the words that comments avoid, too. */
    private static final Pattern BANNED_IN_COMMENTS =
            Pattern.compile("\\b(" + HIDING + "|(?:is|are|was|were) told)\\b", Pattern.CASE_INSENSITIVE);

    /** A partition is no partition; a file of log lines is. */
    private static final Pattern PARTITION = Pattern.compile(
            "\\blogs? (?:%[sd]|\\{\\})|\\b(?:the|a|this|that|every|each|all|no|another|other|between) logs?\\b(?! (?:file|line))",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern STRING_OR_COMMENT = Pattern.compile(
            "\"\"\"(.*?)\"\"\"|\"((?:\\\\.|[^\"\\\\\n])*)\"|'(?:\\\\.|[^'\\\\\n])+'|(/\\*.*?\\*/|//[^\n]*)",
            Pattern.DOTALL);

    /** Within a comment. */
    private static final Pattern LINE_BREAK = Pattern.compile("\\s+(?:\\*\\s+)?");

    /** Where such a word is the term: dead letters, letters of the alphabet; and a member of a message. */
    private static final Pattern TERMS = Pattern.compile(
            "dead.letters?|lower-case letters|letters?(?=,| or digit| and digit)|'job' or 'refusal'",
            Pattern.CASE_INSENSITIVE);

    @Test
    void every_link_leads_to_a_page_and_a_heading() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages())
            for (MatchResult link : LINK.matcher(prose(page)).results().toList())
                if (!exists(page, link.group(1))) broken.add(PROJECT.relativize(page) + ": " + link.group(1));

        assertThat(broken).isEmpty();
    }

    @Test
    void every_page_is_in_the_index_or_in_that_of_its_directory() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Path page : pages()) {
            if (!page.startsWith(DOCS) || page.equals(INDEX)) continue;
            Path own = page.resolveSibling("README.md");
            if (!links(INDEX).contains(page)
                    && !(Files.exists(own) && links(own).contains(page)))
                missing.add(PROJECT.relativize(page).toString());
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void decisions_have_a_status_their_evidence_last_and_numbers_without_gaps() throws IOException {
        List<String> wrong = new ArrayList<>();
        int expected = 1;
        for (Path page : decisions()) {
            String text = Files.readString(page);
            String name = String.valueOf(page.getFileName());
            String number = "%04d".formatted(expected++);
            List<String> sections =
                    SECTION.matcher(text).results().map(found -> found.group(1)).toList();
            if (!name.startsWith(number) || !text.startsWith("# " + number + ": ")) wrong.add(name + ": not " + number);
            if (!text.contains("**Status:** ")) wrong.add(name + ": no status");
            if (!sections.contains("Decision")) wrong.add(name + ": no decision");
            if (sections.contains("Evidence") && !sections.getLast().equals("Evidence"))
                wrong.add(name + ": evidence is not last");
        }

        assertThat(expected).isGreaterThan(30);
        assertThat(wrong).isEmpty();
    }

    @Test
    void pages_say_it_in_plain_words() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path page : pages()) {
            int number = 0;
            for (String line :
                    LINK.matcher(text(page, "")).replaceAll("]").lines().toList()) {
                number++;
                banned(line, PROJECT.relativize(page) + ":" + number, found);
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    void descriptions_of_commands_and_settings_say_it_in_plain_words() {
        List<String> found = new ArrayList<>();
        describe(Floodgate.commandLine(new SettingSource(Map.of(), Map.of())), found);

        assertThat(found).isEmpty();
    }

    /** Log lines, errors, and descriptions of meters: every text of more than one word; and all comments. */
    @Test
    void log_lines_errors_meters_and_comments_say_it_in_plain_words() throws IOException {
        List<String> found = new ArrayList<>();
        int texts = 0;
        int comments = 0;
        for (Path source : sources()) {
            String code = Files.readString(source);
            for (MatchResult part : STRING_OR_COMMENT.matcher(code).results().toList()) {
                if (part.group(3) != null) {
                    comments++;
                    String comment = LINE_BREAK.matcher(part.group(3)).replaceAll(" ");
                    BANNED_IN_COMMENTS
                            .matcher(comment)
                            .results()
                            .forEach(match -> found.add(PROJECT.relativize(source) + ": " + match.group()));
                    continue;
                }
                String text = part.group(1) != null ? part.group(1) : part.group(2);
                if (text == null || !text.strip().contains(" ")) continue;
                texts++;
                long line = code.substring(0, part.start()).lines().count();
                String where = PROJECT.relativize(source) + ":" + line;
                banned(text, where, found);
                PARTITION.matcher(text).results().forEach(match -> found.add(where + ": " + match.group()));
            }
        }

        assertThat(texts).isGreaterThan(1_000);
        assertThat(comments).isGreaterThan(1_000);
        assertThat(found).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(PROJECT)) {
            for (Path module : modules.map(each -> each.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList())
                try (Stream<Path> files = Files.walk(module)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
        }
        return sources;
    }

    private static void describe(CommandLine command, List<String> found) {
        CommandSpec spec = command.getCommandSpec();
        banned(String.join(" ", spec.usageMessage().description()), spec.name(), found);
        spec.args().forEach(argument -> banned(String.join(" ", argument.description()), argument.paramLabel(), found));
        command.getSubcommands().values().forEach(each -> describe(each, found));
    }

    private static void banned(String text, String where, List<String> found) {
        BANNED.matcher(TERMS.matcher(text).replaceAll(""))
                .results()
                .forEach(match -> found.add(where + ": " + match.group()));
    }

    private static boolean exists(Path page, String link) throws IOException {
        if (SCHEME.matcher(link).matches()) return true;
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(target)) return false;
        return hash < 0 || headings(target).contains(link.substring(hash + 1));
    }

    private static Set<Path> links(Path page) throws IOException {
        Set<Path> links = new HashSet<>();
        for (MatchResult link : LINK.matcher(prose(page)).results().toList())
            links.add(page.resolveSibling(link.group(1).replaceFirst("#.*", "")).normalize());
        return links;
    }

    /** The anchors that GitHub makes. */
    private static Set<String> headings(Path page) throws IOException {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        for (MatchResult heading :
                HEADING.matcher(text(page, "(?ms)^ *```.*?^ *```")).results().toList()) {
            String anchor = LINK.matcher(heading.group(1))
                    .replaceAll("]")
                    .toLowerCase(Locale.ROOT)
                    .strip()
                    .replaceAll("[^\\w\\- ]", "")
                    .replace(' ', '-');
            int number = seen.merge(anchor, 1, Integer::sum);
            anchors.add(number == 1 ? anchor : anchor + "-" + (number - 1));
        }
        return anchors;
    }

    private static String prose(Path page) throws IOException {
        return CODE.matcher(Files.readString(page)).replaceAll("");
    }

    /** Without code, and with as many lines as before. */
    private static String text(Path page, String without) throws IOException {
        Pattern pattern = without.isEmpty() ? CODE : Pattern.compile(without);
        return pattern.matcher(Files.readString(page))
                .replaceAll(match -> "\n".repeat((int) match.group().lines().count() - 1));
    }

    private static List<Path> decisions() throws IOException {
        try (Stream<Path> files = Files.list(DOCS.resolve("contributing/decisions"))) {
            return files.filter(file -> !file.endsWith("README.md")).sorted().toList();
        }
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path root : List.of(PROJECT, PROJECT.resolve("bench"), PROJECT.resolve("worker-runtime")))
            try (Stream<Path> files = Files.list(root)) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
            }
        try (Stream<Path> files = Files.walk(DOCS)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return pages;
    }
}
