package io.floodgate.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The README, the quickstarts, the tour, and the page about producers, as far as they can be run. */
final class Readme {
    private static final Path FILE = Path.of("../README.md");
    private static final Path QUICKSTARTS = Path.of("../docs/tutorials/quickstarts.md");
    private static final Path TOUR_PAGE = Path.of("../docs/tutorials/first-job.md");
    private static final Path PRODUCERS = Path.of("../docs/how-to/enqueue-from-java.md");
    private static final Path HOW_TO = Path.of("../docs/how-to");
    private static final Pattern LISTING = Pattern.compile("```(\\w+) run\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SHOWN_BELOW = Pattern.compile("(?m)^(?:#|//) → (.*)$");
    private static final Pattern TOUR = Pattern.compile("<!-- tour -->(.*)<!-- /tour -->", Pattern.DOTALL);
    private static final Pattern SHELL = Pattern.compile("```bash\n(.*?)```", Pattern.DOTALL);
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("public class (\\w+)");
    private static final String SHOWN = "# → ";

    private Readme() {}

    /** What a reader pastes, and what the README says is printed then; in {@code shown}, … stands for anything. */
    record Step(String commands, List<String> shown) {
        /** Nothing changes if it is done again. */
        boolean onlyLooks() {
            return commands.lines()
                    .filter(line -> !line.startsWith("#"))
                    .allMatch(line -> line.startsWith("get ") || line.startsWith("curl ") || line.startsWith("sleep "));
        }

        boolean isShownBy(List<String> printed) {
            if (printed.size() != shown.size()) return false;
            for (int i = 0; i < printed.size(); i++) if (!pattern(shown.get(i)).matches(printed.get(i))) return false;
            return true;
        }

        private static LinePattern pattern(String line) {
            return new LinePattern(line.split("…", -1));
        }
    }

    private record LinePattern(String... parts) {
        boolean matches(String line) {
            var regex = new StringBuilder();
            for (String part : parts) {
                if (!regex.isEmpty()) regex.append(".+");
                regex.append(Pattern.quote(part));
            }
            return line.matches(regex.toString());
        }
    }

    /** A class that is shown. */
    record Source(String name, String text) {}

    /** A program of a page that is run as it stands there. */
    record Listing(String page, String language, String code, List<String> shown) {
        /** Java wants the name of the class. */
        String file() {
            return CLASS.matcher(code)
                    .results()
                    .findFirst()
                    .map(found -> found.group(1) + ".java")
                    .orElse(page + (language.equals("js") ? ".mjs" : ""));
        }

        @Override
        public String toString() {
            return page + ", " + language;
        }
    }

    static List<Listing> listings() throws IOException {
        List<Listing> listings = new ArrayList<>();
        try (Stream<Path> pages = Files.list(HOW_TO)) {
            for (Path page : pages.filter(Files::isRegularFile).sorted().toList())
                LISTING.matcher(text(page))
                        .results()
                        .forEach(found -> listings.add(listing(String.valueOf(page.getFileName()), found)));
        }
        return listings;
    }

    private static Listing listing(String page, MatchResult found) {
        List<String> shown = SHOWN_BELOW
                .matcher(found.group(2))
                .results()
                .map(line -> line.group(1))
                .toList();
        return new Listing(page, found.group(1), found.group(2), shown);
    }

    static List<Step> tour() {
        String tour = TOUR.matcher(text(TOUR_PAGE))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        List<Step> steps = new ArrayList<>();
        SHELL.matcher(tour).results().forEach(block -> steps.addAll(steps(block.group(1))));
        return steps;
    }

    private static List<Step> steps(String block) {
        List<Step> steps = new ArrayList<>();
        List<String> commands = new ArrayList<>();
        List<String> shown = new ArrayList<>();
        for (String line : block.lines().toList()) {
            if (line.startsWith(SHOWN)) {
                shown.add(line.substring(SHOWN.length()));
                continue;
            }
            if (!shown.isEmpty()) {
                steps.add(new Step(String.join("\n", commands), List.copyOf(shown)));
                commands.clear();
                shown.clear();
            }
            if (!line.isBlank()) commands.add(line);
        }
        steps.add(new Step(String.join("\n", commands), List.copyOf(shown)));
        return steps;
    }

    /** The program in a language. */
    static String quickstart(String language) {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(text(FILE) + text(QUICKSTARTS))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    static Source source(String name) {
        return JAVA.matcher(text(QUICKSTARTS) + text(PRODUCERS))
                .results()
                .map(Readme::source)
                .filter(source -> source.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Source source(MatchResult block) {
        String text = block.group(1);
        return new Source(
                CLASS.matcher(text).results().findFirst().orElseThrow().group(1), text);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
