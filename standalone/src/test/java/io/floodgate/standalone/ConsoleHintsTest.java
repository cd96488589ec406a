package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What the console says to those who look for help: pages, links, and that something is not there. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConsoleHintsTest {
    private final Running running = new Running();
    private HttpApi http;
    private Browser browser;
    private String address;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        assumeTrue(Browser.isInstalled(), "the packages chromium and chromium-driver are not installed");
        int port = Standalone.start(StandaloneConfig.in(data), running).port();
        http = new HttpApi(port);
        address = "http://127.0.0.1:%d/#/".formatted(port);
        browser = Browser.start();
    }

    @AfterAll
    void stop() {
        if (browser != null) browser.close();
        running.close();
    }

    @AfterEach
    void the_browser_has_nothing_to_complain_of() {
        assertThat(browser.complaints()).isEmpty();
    }

    private void open(String page) {
        browser.open(address + page);
    }

    private boolean has(String selector) {
        return browser.run("return Boolean(document.querySelector('%s'))".formatted(selector))
                .booleanValue();
    }

    private void follow(String link) {
        browser.await(
                "a link '%s'".formatted(link),
                () -> browser.run(
                                "const link = [...document.querySelectorAll('main a')].find(each => each.innerText.trim() === %s); link?.click(); return Boolean(link)"
                                        .formatted(Browser.quoted(link)))
                        .booleanValue());
    }

    private void enqueue(String queue, String type) throws Exception {
        http.post(
                "/ojs/v1/jobs",
                "{\"type\":\"%s\",\"queue\":\"%s\",\"args\":[],\"retry\":{\"max_attempts\":1}}".formatted(type, queue));
    }

    private void discard(String queue, String type) throws Exception {
        enqueue(queue, type);
        String job = http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"%s\"],\"worker_id\":\"w1\"}".formatted(queue))
                .text("/jobs/0/id");
        http.post(
                "/ojs/v1/workers/nack",
                "{\"job_id\":\"%s\",\"worker_id\":\"w1\",\"error\":{\"type\":\"E\",\"message\":\"no\"}}"
                        .formatted(job));
    }

    @Test
    void a_runbook_is_a_page_of_the_documentation_whose_search_leads_to_others() throws Exception {
        enqueue("waits", "email.send");
        open("queues/waits");
        follow("Runbook: job does not run");
        browser.awaitText("A job does not run");
        browser.keys("/full queue");
        browser.await("a result", () -> has("#site-results a[href$=\"queue-is-full.html\"]"));
        browser.run("document.querySelector('#site-results a[href$=\"queue-is-full.html\"]').click()");
        browser.awaitText("Make room at once");
        assertThat(has("main table")).isTrue();
        assertThat(has("#site-pages a[aria-current]")).isTrue();
    }

    @Test
    void a_command_that_explains_something_is_a_link_to_its_page() throws Exception {
        open("");
        String links =
                "const { one } = await import('./ui/explanation.js'); const { render } = await import('./ui/lit-html.js');"
                        + " const place = document.createElement('div'); render(one({ severity: 'info', title: '', do: [{ text: %s }] }, {}), place);"
                        + " done(place.querySelector('a')?.getAttribute('href') + ' ' + place.querySelector('.advice').innerText.trim())";
        assertThat(browser.runAsync(links.formatted("'See why: ./floodgate why queue email.send.'"))
                        .asString())
                .isEqualTo("#/queues/email.send See why: email.send.");
        assertThat(browser.runAsync(links.formatted(
                                "'See who holds it: ./floodgate why limit api. If it is too low, raise it.'"))
                        .asString())
                .isEqualTo("#/limits/api See who holds it: api. If it is too low, raise it.");
    }

    @Test
    void what_is_not_there_is_neither_well_nor_a_problem() {
        open("queues/none");
        browser.awaitText("There is no queue 'none'");

        assertThat(has("main .finding.unknown")).isTrue();
        assertThat(has("main .finding.ok")).isFalse();
        assertThat(browser.text()).doesNotContain("localhost:8080");
    }

    @Test
    void a_server_that_hangs_is_said_to_give_no_answer_after_five_seconds() {
        open("");
        browser.awaitText("Live");
        browser.run(
                "window.fetch = (path, { signal }) => new Promise((_, no) => signal?.addEventListener('abort', () => no(signal.reason)))");
        long begun = System.nanoTime();

        browser.awaitText("No answer ·");
        browser.awaitText("No answer since");

        assertThat(System.nanoTime() - begun).isLessThan(10_000_000_000L);
        assertThat(browser.text()).doesNotContain("Live ·");
    }

    @Test
    void shortcuts_are_shown_without_leaving_the_page() {
        open("queues");
        browser.awaitText("look suspicious");
        browser.keys("?");

        browser.awaitText("next and previous row");
        assertThat(browser.run("return location.hash").asString()).isEqualTo("#/queues");
        assertThat(has("dialog[open] #confirm:not([hidden])")).isFalse();
        browser.press("Close");
        browser.await("no dialog", () -> !has("dialog[open]"));
    }

    @Test
    void groups_of_dead_letters_follow_the_filter_and_what_is_empty_offers_no_action() throws Exception {
        discard("mail", "mail.send");
        discard("bills", "bill.send");
        open("dead?type=mail.send");
        browser.awaitText("1 dead letters");
        assertThat(browser.text()).contains("mail.send").doesNotContain("bills");
        assertThat(browser.canPress("Retry all that match…")).isTrue();

        open("dead?type=none");
        browser.awaitText("No dead letter is like that.");
        assertThat(browser.canPress("Retry all that match…")).isFalse();
        open("jobs?type=none");
        browser.awaitText("No job is like that.");
        assertThat(browser.canPress("Retry…")).isFalse();
    }

    @Test
    void a_queue_leads_to_its_workers() throws Exception {
        enqueue("served", "email.send");
        http.post(
                "/ojs/v1/workers/heartbeat",
                "{\"worker_id\":\"of-served\",\"active_jobs\":[],\"queues\":[\"served\"]}");
        http.post(
                "/ojs/v1/workers/heartbeat", "{\"worker_id\":\"of-others\",\"active_jobs\":[],\"queues\":[\"other\"]}");
        open("queues/served");
        follow("Its workers");
        browser.awaitText("of-served");
        assertThat(browser.text()).doesNotContain("of-others");
        follow("All workers");
        browser.awaitText("of-others");
    }

    @Test
    void a_run_that_waits_for_the_run_before_is_no_link_to_a_job() throws Exception {
        http.post(
                "/ojs/v1/cron",
                "{\"name\":\"slow\",\"expression\":\"0 0 1 1 *\",\"type\":\"a\",\"queue\":\"slow\",\"overlap_policy\":\"enqueue\"}");
        String runs = http.post("/ojs/v1/cron/slow/trigger", "{}").text("/job_id");
        String waits = http.post("/ojs/v1/cron/slow/trigger", "{}").text("/job_id");
        open("schedules/slow");
        browser.awaitText(waits + " waits for the run before it");
        assertThat(has("main a[href$=\"%s\"]".formatted(runs))).isTrue();
        assertThat(has("main a[href$=\"%s\"]".formatted(waits))).isFalse();
    }

    @Test
    void queues_without_a_bound_are_listed_from_where_they_are_counted() throws Exception {
        enqueue("without-a-bound", "email.send");
        open("system");
        follow("Show these queues");
        browser.awaitText("without-a-bound");
        assertThat(browser.run("return location.hash").asString()).isEqualTo("#/queues?show=unbounded");
    }

    @Test
    void a_chart_shows_each_minute_as_a_step() {
        open("");
        assertThat(browser.runAsync(
                                "const { chart } = await import('./ui/chart.js'); const { render } = await import('./ui/lit-html.js'); const place = document.createElement('div');"
                                        + " render(chart('Jobs', ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'], [{ name: 'in', kind: 'in', values: [1, 5] }]), place);"
                                        + " done(place.querySelector('path.line').getAttribute('d'))")
                        .asString())
                .matches("M\\S+ \\S+H\\S+V\\S+H\\S+");
    }
}
