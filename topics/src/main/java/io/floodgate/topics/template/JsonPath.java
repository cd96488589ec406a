package io.floodgate.topics.template;

import io.floodgate.topics.command.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A path into JSON, as {@code $.items[0].sku}.
 *
 * @param steps names of members, and positions in lists
 * @param isOptional whether what it stands for may be missing: {@code $.note?}
 */
public record JsonPath(String text, List<String> steps, boolean isOptional) {
    private static final Pattern STEP = Pattern.compile("\\.([^.\\[\\]?]+)|\\[([0-9]{1,6})]");

    /** Empty for a text that is no path. */
    public static Optional<JsonPath> parse(String text) {
        boolean isOptional = text.endsWith("?");
        String plain = isOptional ? text.substring(0, text.length() - 1) : text;
        return plain.startsWith("$.")
                ? steps(plain.substring(1)).map(steps -> new JsonPath(text, steps, isOptional))
                : Optional.empty();
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

    /** Returns what is there behind the first steps; a missing node if nothing is. */
    public JsonNode in(JsonNode root, int behind) {
        JsonNode node = root;
        for (String step : steps.subList(behind, steps.size()))
            node = node.isArray() ? element(node, step) : node.path(step);
        return node;
    }

    private static JsonNode element(JsonNode list, String step) {
        boolean isPosition = step.length() <= 6 && step.chars().allMatch(c -> c >= '0' && c <= '9');
        return isPosition ? list.path(Integer.parseInt(step)) : list.path(step);
    }

    /** @param where it should be */
    public Unmappable missing(String where) {
        return new Unmappable("'%s' is not in the %s.".formatted(Limits.echo(text), where));
    }
}
