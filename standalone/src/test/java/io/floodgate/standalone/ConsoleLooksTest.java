package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Every page of the console, light and dark, wide and narrow, on a server in bad shape: axe-core finds nothing, and nothing is wider
 * than the window. Pictures of all are in {@code target/console} for those who look.
 */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConsoleLooksTest {
    private static final Path PICTURES = Path.of("target/console");
    /** What is wide is wide in both. */
    private static final List<String> SCHEMES = Effort.isLittle() ? List.of("dark") : List.of("light", "dark");

    /** What fits the narrowest fits those between. */
    private static final List<Integer> WIDTHS = Effort.isLittle() ? List.of(1_280, 320) : List.of(1_280, 375, 320);

    private static final String AXE = "axe-core@4.11.0";

    private final Running running = new Running();
    private Browser browser;
    private String address;
    private BadShape shape;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        assumeTrue(Browser.isInstalled(), "the packages chromium and chromium-driver are not installed");
        int port = Standalone.start(StandaloneConfig.in(data), running).port();
        address = "http://127.0.0.1:%d/#/".formatted(port);
        shape = BadShape.make(new HttpApi(port));
        browser = Browser.start();
        Files.createDirectories(PICTURES);
    }

    @AfterAll
    void stop() {
        if (browser != null) browser.close();
        running.close();
    }

    private void show(String page, String scheme, int width) {
        browser.look(scheme, width, 1_400);
        browser.open(address + page);
        browser.await(
                "a page that is loaded",
                () -> browser.run(
                                "return Boolean(document.querySelector('main h1')) && !document.querySelector('main [aria-busy]')")
                        .booleanValue());
    }

    @Test
    void no_page_is_wider_than_its_window() throws IOException {
        for (Map.Entry<String, String> page : shape.pages().entrySet())
            for (String scheme : SCHEMES)
                for (int width : WIDTHS) {
                    show(page.getValue(), scheme, width);
                    if (width != 320)
                        browser.picture(PICTURES.resolve("%s-%s-%d.png".formatted(page.getKey(), scheme, width)));
                    assertThat(browser.run("return document.documentElement.scrollWidth")
                                    .intValue())
                            .as("%s at %d", page.getKey(), width)
                            .isLessThanOrEqualTo(width);
                }
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    @Tag("long")
    @EnabledIfSystemProperty(
            named = "client.generate",
            matches = "true",
            disabledReason = "only in the long lane: it takes a package from npm")
    void axe_finds_nothing(@TempDir Path packages) throws Exception {
        String axe = axe(packages);
        List<String> found = new ArrayList<>();
        for (Map.Entry<String, String> page : shape.pages().entrySet())
            for (String scheme : List.of("light", "dark"))
                for (int width : List.of(1_280, 375)) {
                    show(page.getValue(), scheme, width);
                    browser.run(axe);
                    JsonNode violations = browser.runAsync(
                            "const {violations} = await axe.run(); done(violations.map(each => each.id + ' ' + each.nodes.map(node => node.html)))");
                    violations.forEach(each ->
                            found.add("%s, %s, %d: %s".formatted(page.getKey(), scheme, width, each.asString())));
                }
        assertThat(found).isEmpty();
    }

    private static String axe(Path directory) throws IOException, InterruptedException {
        for (String command : List.of("npm pack --silent " + AXE, "tar xzf axe-core-4.11.0.tgz")) {
            Process process = new ProcessBuilder(command.split(" ", -1))
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            String out = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor()).as("%s: %s", command, out).isZero();
        }
        return Files.readString(directory.resolve("package/axe.min.js"));
    }
}
