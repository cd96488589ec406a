package io.floodgate.gateway.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** All pages of the site, as browsers get them. */
final class SiteTest {
    private static final Path DOCS = Path.of("../docs");
    private static final int MAX_PAGE_BYTES = 300_000;
    private static final Pattern ADDRESS = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");
    private static final Pattern LOADED = Pattern.compile("<(?:img|script|link)[^>]*(?:href|src)=\"([^\"]*)\"");
    private static final Pattern DISTANCE = Pattern.compile("[0-9a-z]+");
    private static final Pattern HEADING = Pattern.compile("<h1[ >]");

    private final Site site = new Site(false);
    private final Map<String, String> html = html();

    private Map<String, String> html() {
        Map<String, String> all = new LinkedHashMap<>();
        for (SitePage page : site.pages()) all.put(page.path(), text(page.path()));
        return all;
    }

    private String text(String path) {
        return new String(site.at(path).orElseThrow(), UTF_8);
    }

    @Test
    void every_page_of_the_repository_is_a_page_of_the_site() throws IOException {
        Set<String> sources = new HashSet<>();
        for (SitePage page : site.pages()) sources.add(page.source());
        try (Stream<Path> files = Files.walk(DOCS)) {
            assertThat(files.filter(file -> file.toString().endsWith(".md"))
                            .map(file -> "docs/" + DOCS.relativize(file)))
                    .isNotEmpty()
                    .isSubsetOf(sources);
        }
        assertThat(sources).contains("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md");
    }

    @Test
    void every_link_leads_to_a_file_and_an_anchor_of_the_site_or_into_the_repository() {
        List<String> broken = new ArrayList<>();
        Set<String> paths = new HashSet<>(site.paths());
        html.forEach((path, text) -> matches(ADDRESS, text).forEach(link -> {
            if (link.startsWith("http") || link.startsWith("mailto:")) return;
            URI target = URI.create("/" + path).resolve(link);
            String file = target.getPath().substring(1);
            String anchor = target.getFragment();
            if (!paths.contains(file)) broken.add(path + ": " + link);
            else if (anchor != null && !matches(ID, html.get(file)).contains(anchor)) broken.add(path + ": " + link);
        }));

        assertThat(broken).isEmpty();
        assertThat(html.get("how-to/monitor.html"))
                .contains(SiteSources.repository() + "/blob/v" + Site.version() + "/monitoring/");
    }

    @Test
    void ids_are_unique_within_a_page() {
        html.forEach((path, text) -> assertThat(matches(ID, text)).as(path).doesNotHaveDuplicates());
    }

    @Test
    void every_page_has_a_title_its_place_in_the_navigation_and_a_link_to_edit_it() {
        for (SitePage page : site.pages()) {
            String text = html.get(page.path());
            assertThat(page.title()).as(page.source()).isNotEmpty();
            assertThat(matches(HEADING, text)).as(page.source()).hasSize(1);
            assertThat(text)
                    .as(page.source())
                    .contains(
                            " aria-current=\"page\">",
                            "<main ",
                            "href=\"%s/edit/main/%s\"".formatted(SiteSources.repository(), page.source()),
                            "data-version=\"%s\"".formatted(Site.version()))
                    .doesNotContain("{{root}}");
        }
    }

    @Test
    void pages_are_small_and_load_nothing_from_elsewhere_and_nothing_inline() {
        html.forEach((path, text) -> {
            assertThat(text.getBytes(UTF_8).length).as(path).isLessThanOrEqualTo(MAX_PAGE_BYTES);
            assertThat(matches(LOADED, text)).as(path).isNotEmpty().noneMatch(each -> each.contains("//"));
            assertThat(text).as(path).doesNotContain("<script>", "<style", " style=\"", "onclick=", "<iframe");
        });
    }

    @Test
    void what_stands_in_a_page_is_text_unless_it_is_markdown() {
        assertThat(CodeColors.html("if a < b; echo \"<x>\" # <y>", "sh"))
                .isEqualTo("<span class=\"k\">if</span> a &lt; b; echo <span class=\"s\">&quot;&lt;x&gt;&quot;</span> "
                        + "<span class=\"c\"># &lt;y&gt;</span>");
        assertThat(html.get("tutorials/first-job.html")).doesNotContain("&lt;!--", "<!-- tour");
    }

    @Test
    void the_search_index_has_the_words_of_each_section() {
        JsonNode index = Json.tree(site.at("search.json").orElseThrow());

        assertThat(paths(index, "full", "queue")).contains("how-to/runbooks/queue-is-full.html");
        assertThat(paths(index, "celery")).contains("how-to/come-from-celery.html");
        assertThat(index.path("words").has("the")).isFalse();
    }

    /** The addresses of pages with a section that has all words. */
    private static Set<String> paths(JsonNode index, String... words) {
        Set<Integer> sections = null;
        for (String word : words) {
            Set<Integer> those = new HashSet<>();
            int section = 0;
            for (String distance :
                    matches(DISTANCE, index.path("words").path(word).asString())) {
                section += Integer.parseInt(distance, 36);
                those.add(section);
            }
            if (sections == null) sections = those;
            else sections.retainAll(those);
        }
        Set<String> paths = new HashSet<>();
        for (int section : sections)
            paths.add(index.path("pages")
                    .path(index.path("sections").path(section).path(0).asInt())
                    .path(0)
                    .asString());
        return paths;
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.groupCount() == 0 ? found.group() : found.group(1))
                .toList();
    }
}
