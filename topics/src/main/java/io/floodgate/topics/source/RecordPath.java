package io.floodgate.topics.source;

import io.floodgate.topics.command.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A path into a record, as {@code $.value.items[0].sku}.
 *
 * @param steps names of members, and positions in lists; the name of a header, for headers
 * @param isOptional whether what it stands for may be missing: {@code $.value.note?}
 */
record RecordPath(String text, Root root, List<String> steps, boolean isOptional) {
    private static final Pattern FORM = Pattern.compile("\\$\\.([a-z]+)(.*)", Pattern.DOTALL);
    private static final Pattern STEP = Pattern.compile("\\.([^.\\[\\]?]+)|\\[([0-9]{1,6})]");

    /** What a path begins with. */
    enum Root {
        KEY,
        VALUE,
        HEADERS,
        TOPIC,
        PARTITION,
        OFFSET,
        TIMESTAMP
    }

    /** Empty for a text that is no path. */
    static Optional<RecordPath> parse(String text) {
        boolean isOptional = text.endsWith("?");
        Matcher form = FORM.matcher(isOptional ? text.substring(0, text.length() - 1) : text);
        if (!form.matches()) return Optional.empty();
        String rest = form.group(2);
        for (Root root : Root.values()) {
            if (!root.name().equalsIgnoreCase(form.group(1))) continue;
            boolean isDeep = root == Root.KEY || root == Root.VALUE;
            // Names of headers have dots.
            if (root == Root.HEADERS)
                return rest.length() > 1 && rest.startsWith(".")
                        ? Optional.of(new RecordPath(text, root, List.of(rest.substring(1)), isOptional))
                        : Optional.empty();
            return isDeep || rest.isEmpty()
                    ? steps(rest).map(steps -> new RecordPath(text, root, steps, isOptional))
                    : Optional.empty();
        }
        return Optional.empty();
    }

    private static Optional<List<String>> steps(String text) {
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!step.find(at) || step.start() != at) return Optional.empty();
            steps.add(step.group(1) == null ? step.group(2) : step.group(1));
            at = step.end();
        }
        return Optional.of(List.copyOf(steps));
    }

    /** Returns what is there, inside of what the path begins with; a missing node if nothing is. */
    JsonNode in(JsonNode node) {
        for (String step : steps) node = node.isArray() ? element(node, step) : node.path(step);
        return node;
    }

    private static JsonNode element(JsonNode list, String step) {
        boolean isPosition = step.length() <= 6 && step.chars().allMatch(c -> c >= '0' && c <= '9');
        return isPosition ? list.path(Integer.parseInt(step)) : list.path(step);
    }

    UnmappableRecord missing() {
        return new UnmappableRecord("'%s' is not in the record.".formatted(Limits.echo(text)));
    }
}
