package io.floodgate.gateway.docs;

import io.floodgate.topics.json.JsonOut;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;

/**
 * Which words are in which sections, for the script of the site. Of each word it has one text: for every section the
 * distance from the one before, in base 36, and a sign for how much the word counts there.
 */
final class SearchIndex {
    private static final int EXCERPT = 110;
    private static final int IN_HEADING = 8;
    private static final Pattern WORD = Pattern.compile("[a-z0-9]{2,24}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{5,}|(?=.*[0-9].*[0-9])[0-9a-f]{8,}");

    /** They are on every page, so that they find none. */
    private static final Set<String> IGNORED = Set.of(
            "the", "of", "and", "is", "to", "it", "in", "an", "that", "are", "for", "by", "or", "be", "as", "with",
            "on", "its", "at", "has", "from", "this", "which", "if", "does", "do", "my", "why", "how", "what");

    private record Postings(StringBuilder text, int last) {}

    private final Map<String, Postings> words = new TreeMap<>();
    private final JsonOut sections = new JsonOut();
    private int count;

    private SearchIndex() {}

    static byte[] of(SiteMap map) {
        SearchIndex index = new SearchIndex();
        JsonOut out = JsonOut.object(1 << 19).beginArray("pages");
        index.sections.beginArray();
        int number = 0;
        for (SiteMap.Group group : map.groups())
            for (SitePage page : group.all()) {
                out.beginArray()
                        .value(page.path())
                        .value(page.title())
                        .value(group.label())
                        .endArray();
                index.add(page, number++);
            }
        out.endArray().name("sections").raw(index.sections.endArray().toBytes());
        out.field("ignored", IGNORED.stream().sorted().toList());
        out.beginObject("words");
        index.words.forEach((word, postings) -> out.field(word, postings.text().toString()));
        return out.endObject().endObject().toBytes();
    }

    private void add(SitePage page, int number) {
        Node parsed = Markdown.parse(SiteSources.text(page.source()));
        Markdown.Anchors anchors = new Markdown.Anchors();
        String anchor = "";
        String heading = "";
        StringBuilder text = new StringBuilder();
        for (Node node = parsed.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading next) {
                if (!heading.isEmpty()) section(page, number, anchor, heading, text.toString());
                text.setLength(0);
                heading = Markdown.text(next);
                anchor = anchors.of(next);
            } else text.append(Markdown.text(node)).append(' ');
        }
        section(page, number, anchor, heading, text.toString());
    }

    private void section(SitePage page, int number, String anchor, String heading, String text) {
        boolean isFirst = heading.equals(page.title());
        String excerpt = text.length() <= EXCERPT
                ? text.strip()
                : text.substring(0, text.lastIndexOf(' ', EXCERPT) < 1 ? EXCERPT : text.lastIndexOf(' ', EXCERPT))
                        + " …";
        sections.beginArray()
                .value(number)
                .value(isFirst ? "" : anchor)
                .value(isFirst ? "" : heading)
                .value(excerpt)
                .endArray();
        Map<String, Integer> weights = new HashMap<>();
        count(text, 1, weights);
        count(heading, IN_HEADING, weights);
        if (!isFirst) count(page.title(), 2, weights);
        weights.forEach(this::post);
        count++;
    }

    private static void count(String text, int weight, Map<String, Integer> weights) {
        for (String word : words(text)) weights.merge(word, weight, Integer::sum);
    }

    static List<String> words(String text) {
        return WORD.matcher(text.toLowerCase(Locale.ROOT))
                .results()
                .map(MatchResult::group)
                .filter(word -> !IGNORED.contains(word) && !NUMBER.matcher(word).matches())
                .toList();
    }

    private void post(String word, int weight) {
        Postings before = words.getOrDefault(word, new Postings(new StringBuilder(), 0));
        char sign = weight >= IN_HEADING ? '!' : weight >= 3 ? ',' : '.';
        before.text().append(Integer.toString(count - before.last(), 36)).append(sign);
        words.put(word, new Postings(before.text(), count));
    }
}
