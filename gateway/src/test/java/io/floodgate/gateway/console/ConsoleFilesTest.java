package io.floodgate.gateway.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What browsers load, and the rules that hold for it. */
class ConsoleFilesTest extends GatewayFixture {
    private static final Path SOURCES = Path.of("src/main/resources/io/floodgate/gateway/console");
    private static final int MAX_LINES = 2_850;
    /** Of what is loaded before the first page is shown. */
    private static final int MAX_BYTES_AT_FIRST = 150_000;

    private static final Pattern AT_FIRST = Pattern.compile("from ?['\"]\\./([^'\"]+)['\"]");
    private static final Pattern IMPORT = Pattern.compile("(?:from ?|import\\()['\"]\\./([^'\"]+)['\"]");

    private static String read(String name) throws IOException {
        return Files.readString(SOURCES.resolve(name), UTF_8);
    }

    private static List<String> own() {
        return ConsoleFiles.NAMES.stream()
                .filter(name -> name.endsWith(".js") && !name.startsWith("lit-"))
                .toList();
    }

    @Test
    void the_page_is_for_everyone_and_lets_nothing_else_in() {
        Got got = get("/");

        got.answers(200);
        assertThat(got.header("content-type")).isEqualTo("text/html; charset=utf-8");
        assertThat(got.header("content-security-policy"))
                .contains(
                        "default-src 'none'",
                        "script-src 'self'",
                        "require-trusted-types-for 'script'",
                        "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(got.header("x-frame-options")).isEqualTo("DENY");
        assertThat(got.body()).doesNotContain("<script>", "style=", "http://", "https://");
    }

    @Test
    void files_are_sent_again_only_when_they_have_changed() {
        String tag = get("/ui/app.js").header("etag");

        get("/ui/app.js", "If-None-Match", tag).answers(304);
        get("/ui/app.js", "If-None-Match", "\"other\"").answers(200);
        assertThat(get("/ui/app.js").header("content-type")).isEqualTo("text/javascript; charset=utf-8");
        get("/ui/lit-html-LICENSE.txt").answers(404);
        assertThat(get("/ui/..%2Fapp.js").status()).isIn(400, 404);
    }

    @Test
    void all_that_is_imported_is_served_and_all_that_is_served_is_imported() throws Exception {
        List<String> imported = new ArrayList<>(List.of("app.js"));
        for (String name : ConsoleFiles.NAMES) {
            if (!name.endsWith(".js")) continue;
            Matcher matcher = IMPORT.matcher(read(name));
            while (matcher.find()) imported.add(matcher.group(1));
        }
        assertThat(ConsoleFiles.NAMES).containsAll(imported);
        assertThat(imported)
                .containsAll(ConsoleFiles.NAMES.stream()
                        .filter(name -> name.endsWith(".js"))
                        .toList());
        try (Stream<Path> files = Files.list(SOURCES)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> !name.endsWith(".txt")))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(ConsoleFiles.NAMES.stream(), Stream.of(ConsoleFiles.INDEX))
                                    .toList());
        }
    }

    @Test
    void the_documentation_is_served_under_the_rules_of_the_console() {
        Got page = get("/docs/how-to/runbooks/worker-lost.html");

        assertThat(page.body()).contains("<h1 id=\"a-worker-is-lost\">");
        assertThat(page.header("content-type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.header("content-security-policy")).isEqualTo(get("/").header("content-security-policy"));
        get("/docs/how-to/runbooks/worker-lost.html", "If-None-Match", page.header("etag"))
                .answers(304);
        assertThat(get("/docs/images/console.png").header("content-type")).isEqualTo("image/png");
        assertThat(get("/docs/search.json").header("content-type")).isEqualTo("application/json");
        get("/docs/how-to/runbooks/none.html").answers(404);
        get("/docs/site.properties").answers(404);
        assertThat(get("/docs/runbooks/..%2Fmonitor.html").status()).isIn(400, 404);
    }

    @Test
    void its_address_leads_to_its_first_page_also_behind_a_proxy_that_adds_a_prefix() {
        assertThat(get("/docs").header("location")).isEqualTo("docs/index.html");
        Got got = get("/docs/");

        got.answers(302);
        assertThat(got.header("location")).isEqualTo("index.html");
    }

    @Test
    void it_stays_small_and_makes_no_markup_of_text() throws Exception {
        long lines = 0;
        for (String name : own()) {
            String source = read(name);
            lines += source.lines().count();
            assertThat(source)
                    .as(name)
                    .doesNotContain("innerHTML", "unsafeHTML", "eval(", "document.write", "styleMap", " style=");
        }
        assertThat(lines).isLessThanOrEqualTo(MAX_LINES);
    }

    @Test
    void pages_that_few_open_are_not_loaded_before_the_first_one() throws Exception {
        List<String> loaded = new ArrayList<>(List.of("app.js"));
        for (int i = 0; i < loaded.size(); i++) {
            Matcher matcher = AT_FIRST.matcher(read(loaded.get(i)));
            while (matcher.find()) if (!loaded.contains(matcher.group(1))) loaded.add(matcher.group(1));
        }
        long bytes = Files.size(SOURCES.resolve("console.css"));
        for (String name : loaded) bytes += Files.size(SOURCES.resolve(name));

        assertThat(loaded).contains("page-overview.js").doesNotContain("page-workflow.js", "graph.js");
        assertThat(bytes).isLessThanOrEqualTo(MAX_BYTES_AT_FIRST);
    }

    @Test
    void who_asks_without_keys_may_do_everything() {
        Got got = get("/ojs/v1/whoami");

        assertThat(got.at("/authentication").stringValue()).isEqualTo("off");
        assertThat(got.at("/scopes")).hasSize(4);
    }
}
