package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.floodgate.gateway.GatewayConfig;
import io.floodgate.gateway.GatewayConfig.Access;
import io.floodgate.gateway.GatewayLimits;
import io.floodgate.gateway.access.ApiKey;
import io.floodgate.gateway.access.KeyFile;
import io.floodgate.gateway.access.KeySecret;
import io.floodgate.gateway.access.Scope;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.topics.command.Identity;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The console in a real browser: trouble is made over HTTP, the page names it, and the advised action ends it. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ConsoleTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";

    private final HttpClient client = HttpClient.newHttpClient();
    private final Running running = new Running();
    private final List<ApiKey> keys = new ArrayList<>();
    private final String ops = key("ops", Set.copyOf(Scope.OF_KEYS), null, null);
    /** As the documentation makes one for an operator. */
    private final String operator = key("ops", Set.of(Scope.OBSERVE, Scope.ADMIN), null, null);

    private final String viewer = key(
            "viewer", Set.of(Scope.OBSERVE), List.of("billing.*"), Instant.now().plus(Duration.ofDays(7)));
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
    private final Set<String> saidOfTheLost = Collections.synchronizedSet(new LinkedHashSet<>());
    private final CodecServer codecs = new CodecServer();
    private Browser browser;
    private String address;

    private String key(String name, Set<Scope> scopes, List<String> queues, Instant expires) {
        KeySecret secret = KeySecret.make(new SecureRandom());
        keys.add(new ApiKey(secret.id(), secret.hash(), scopes, new Identity(name, queues, null), expires));
        return secret.reveal();
    }

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        assumeTrue(Browser.isInstalled(), "the packages chromium and chromium-driver are not installed");
        Path file = data.resolve("keys.json");
        new KeyFile(file).write(keys);
        var http = new HttpConfig(
                "127.0.0.1",
                0,
                false,
                GatewayConfig.DEFAULT_WAIT,
                Duration.ZERO,
                new Access(
                        List.of(),
                        List.of(),
                        Optional.of(file),
                        Optional.empty(),
                        new GatewayConfig.Services(Optional.of(codecs.url()), Optional.empty())),
                GatewayLimits.ofHeap(),
                QueueTopics.Settings.DEFAULT,
                WebhookSettings.DEFAULT);
        var broker = new BrokerConfig(data.resolve("kafka"), 0, Optional.empty(), Map.of());
        int port = Standalone.start(
                        new StandaloneConfig(broker, data.resolve("streams"), 8, 1, Logs.DEFAULT, http, Map.of()),
                        running)
                .port();
        address = "http://127.0.0.1:" + port + "/";
        loseAWorker();
        browser = Browser.start();
        signIn(operator, "");
    }

    /** A worker takes 8 jobs and sends nothing more; its explanation is recorded while other tests run. */
    private void loseAWorker() throws Exception {
        for (int i = 0; i < 8; i++) enqueue("lost", "");
        send("POST", "workers/heartbeat", "{\"worker_id\":\"dies\",\"active_jobs\":[]}");
        String fetch = "{\"queues\":[\"lost\"],\"worker_id\":\"dies\",\"count\":8,\"wait_ms\":0}";
        assertThat(send("POST", "workers/fetch", fetch).path("jobs")).hasSize(8);
        var unused = watch.scheduleWithFixedDelay(
                () -> {
                    try {
                        saidOfTheLost.add(verdict("admin/workers/dies"));
                    } catch (Exception e) {
                        saidOfTheLost.add(e.toString());
                    }
                },
                0,
                1,
                TimeUnit.SECONDS);
    }

    private String verdict(String subject) throws Exception {
        return send("GET", subject + "/explain", null).at("/verdict/code").asString();
    }

    @AfterAll
    void stop() {
        watch.shutdownNow();
        if (browser != null) browser.close();
        running.close();
        codecs.close();
        client.close();
    }

    /** Nothing was blocked by the content security policy, and no script has failed. */
    @AfterEach
    void the_browser_has_nothing_to_complain_of() {
        assertThat(browser.complaints()).isEmpty();
    }

    private void signIn(String key, String page) {
        browser.open(address);
        browser.run("sessionStorage.clear()");
        browser.open(address + "#/" + page);
        browser.awaitText("Sign in");
        browser.type("key", key);
        browser.press("Sign in");
        browser.awaitText("Overview");
    }

    private void open(String page) {
        browser.open(address + "#/" + page);
    }

    private JsonNode send(String method, String path, String body) throws Exception {
        HttpResponse<String> answer = client.send(request(method, path, body), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
        return JSON.readTree(answer.body());
    }

    private HttpRequest request(String method, String path, String body) {
        return HttpRequest.newBuilder(URI.create(address + "ojs/v1/" + path))
                .header("Authorization", "Bearer " + ops)
                .header("Content-Type", "application/json")
                .header("OJS-Block-Timeout", "30")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
    }

    private String enqueue(String queue, String more) throws Exception {
        return send("POST", "jobs", "{\"type\":\"email.send\",\"queue\":\"%s\",\"args\":[]%s}".formatted(queue, more))
                .at("/job/id")
                .asString();
    }

    private JsonNode fetch(String queue, int count, String more) throws Exception {
        return send(
                        "POST",
                        "workers/fetch",
                        "{\"queues\":[\"%s\"],\"worker_id\":\"w1\",\"count\":%d,\"wait_ms\":0%s}"
                                .formatted(queue, count, more))
                .path("jobs");
    }

    private void fail(String queue, int jobs) throws Exception {
        for (int i = 0; i < jobs; i++) enqueue(queue, ",\"retry\":{\"max_attempts\":1}");
        failNext(queue, jobs);
    }

    private void failNext(String queue, int jobs) throws Exception {
        for (JsonNode job : fetch(queue, jobs, ""))
            send(
                    "POST",
                    "workers/nack",
                    "{\"job_id\":\"%s\",\"worker_id\":\"w1\",\"error\":{\"type\":\"SmtpError\",\"message\":%s}}"
                            .formatted(job.at("/id").asString(), Browser.quoted(HOSTILE)));
    }

    @Test
    @Order(1)
    void a_paused_queue_names_who_and_why_and_resuming_it_can_be_taken_back() throws Exception {
        enqueue("paused", "");
        open("queues/paused");
        browser.press("Pause…");
        browser.type("field-reason", "the mail server is down");
        browser.confirm("Pause");
        browser.awaitText("Key 'ops' paused it");
        browser.awaitText("the mail server is down");

        browser.press("Resume");
        browser.confirm("Resume");
        browser.awaitText("paused hands out jobs again.");
        browser.awaitNoText("Key 'ops' paused it");
        browser.press("Undo");

        browser.awaitText("Taken back");
        browser.awaitText("Key 'ops' paused it");
    }

    @Test
    @Order(2)
    void a_queue_that_no_worker_fetches_and_a_type_that_none_asks_for() throws Exception {
        String job = enqueue("lonely", "");
        open("");
        browser.awaitText("No worker has ever fetched from queue 'lonely'");

        fetch("lonely", 1, ",\"exclude_types\":[\"email.send\"]");
        open("jobs/" + job);

        browser.awaitText("No worker asks for jobs of type 'email.send'");
    }

    @Test
    @Order(3)
    void producers_that_wait_for_room_get_in_when_the_bound_is_raised() throws Exception {
        send("PUT", "queues/narrow/config", "{\"max_size\":1,\"overflow_policy\":\"block\"}");
        enqueue("narrow", "");
        CompletableFuture<HttpResponse<String>> waits = client.sendAsync(
                request("POST", "jobs", "{\"type\":\"email.send\",\"queue\":\"narrow\",\"args\":[]}"),
                BodyHandlers.ofString());
        open("queues/narrow");
        browser.await("a producer that waits", () -> browser.text().contains("Producers that wait\n1"));

        browser.press("Set bound…");
        browser.type("field-max_size", "10");
        browser.awaitText("9 more jobs fit");
        browser.confirm("Set bound");

        assertThat(waits.get().statusCode()).isEqualTo(201);
        browser.awaitText("2 of 10");
        browser.await("none that waits", () -> browser.text().contains("Producers that wait\n0"));
    }

    @Test
    @Order(4)
    void a_stopped_key_is_named_with_its_jobs_and_starts_again() throws Exception {
        enqueue("limited", ",\"rate_limit\":{\"key\":\"api.partner\",\"concurrency\":2}");
        open("limits/api.partner");
        browser.press("Stop…");
        browser.awaitText("Ends at (empty: never)");
        browser.confirm("Stop");
        browser.awaitText("The rate limit 'api.partner' is stopped");
        assertThat(fetch("limited", 1, "")).isEmpty();
        browser.awaitText("1 job waits");

        browser.press("End override");
        browser.confirm("End override");

        browser.awaitNoText("is stopped");
        Eventually.until("the job starts", () -> fetch("limited", 1, "").size() == 1);
    }

    @Test
    @Order(5)
    void failed_jobs_are_counted_before_they_are_tried_again_and_what_they_said_is_text() throws Exception {
        fail("billing.failing", 20);
        open("queues/billing.failing");
        browser.awaitText("100% of the last 20 runs of queue 'billing.failing' failed");
        browser.awaitText(HOSTILE);

        open("dead?error_type=SmtpError");
        browser.press("Retry all that match…");
        browser.awaitText("20 jobs: 20 discarded");
        enqueue("billing.failing", "");
        browser.confirm("Retry 20 jobs");

        browser.awaitText("20 dead letters tried again");
        assertThat(send("GET", "queues/billing.failing", null).at("/available").intValue())
                .isEqualTo(21);
    }

    @Test
    @Order(6)
    void what_destroys_has_to_be_typed() throws Exception {
        enqueue("doomed", "");
        open("queues/doomed");
        browser.press("Purge…");
        browser.awaitText("1 job: 1 available");
        assertThat(browser.canPress("Purge 1 job")).isFalse();

        browser.type("typed", "doomed");
        browser.confirm("Purge 1 job");

        browser.awaitText("1 job removed.");
        browser.awaitText("Queue 'doomed' has no unfinished job");
    }

    @Test
    @Order(7)
    void a_topic_is_read_from_the_console_which_says_why_nothing_comes() {
        open("sources");
        browser.press("Read a topic…");
        browser.type("field-name", "shipments");
        browser.type("field-topic", "shop.shipments");
        browser.type("field-queue", "shipping");
        browser.type("field-job", "{\"type\": ");
        browser.confirm("Read a topic");
        browser.awaitText("A field is not well-formed JSON");
        browser.type("field-job", "{\"type\": \"shipment.sent\"}");
        browser.confirm("Read a topic");
        browser.awaitText("topic missing");

        open("sources/shipments");
        browser.awaitText("Topic 'shop.shipments' of source 'shipments' is not there");
        browser.press("Delete…");
        browser.type("typed", "shipments");
        browser.confirm("Delete");
        browser.awaitText("The source is deleted.");
    }

    @Test
    @Order(7)
    void events_come_as_they_happen_and_pages_are_reached_by_keys() throws Exception {
        open("");
        browser.awaitText("Fullest");
        browser.keys("ge");
        browser.awaitText("Save as NDJSON");
        browser.await("the stream", () -> browser.text().contains("live"));

        String job = enqueue("heard", "");

        browser.await(
                "the event",
                () -> browser.run("return Boolean(document.querySelector('a[href=\"#/jobs/%s\"]'))".formatted(job))
                        .booleanValue());
        browser.keys("gq");
        browser.awaitText("look suspicious");
        browser.type("search", "hear");
        browser.await(
                "the queue alone",
                () -> browser.run("return document.querySelectorAll('tbody tr').length")
                                .intValue()
                        == 1);
        assertThat(browser.run("return location.hash").asString()).isEqualTo("#/queues?q=hear");
    }

    @Test
    @Order(8)
    void numbers_of_any_size_are_shown_as_they_were_sent() throws Exception {
        String job = send(
                        "POST",
                        "jobs",
                        "{\"type\":\"email.send\",\"queue\":\"large\",\"args\":[9007199254740993,{\"a\":[]}]}")
                .at("/job/id")
                .asString();
        open("jobs/" + job);
        browser.awaitText("9007199254740993");

        JsonNode units = browser.runAsync("""
                const { members, pretty } = await import('./ui/json.js');
                const { duration, filled, rate } = await import('./ui/format.js');
                const { parse } = await import('./ui/stream.js');
                done([members('{"a":{"b":"}"},"c":[1.10,2]}').c, pretty('{"a":[],"b":1e400}'), duration(200000), filled(0.999), rate(0.05),
                  parse(': alive'), parse('event: e\\nid: 7\\ndata: {"a":1}').data.a]);""");
        assertThat(units)
                .isEqualTo(
                        JSON.readTree(
                                "[\"[1.10,2]\",\"{\\n  \\\"a\\\": [],\\n  \\\"b\\\": 1e400\\n}\",\"3 min 20 s\",\"99%\",\"3/min\",null,1]"));
    }

    private void schedule(String name, String queue) throws Exception {
        send("POST", "cron", """
                {"name": "%s", "expression": "* * * * * *", "overlap_policy": "allow",
                  "job_template": {"type": "tick", "args": [], "options": {"queue": "%s"}}}""".formatted(name, queue));
    }

    private int count(String selector) {
        return browser.run("return document.querySelectorAll('%s').length".formatted(selector))
                .intValue();
    }

    @Test
    @Order(9)
    void schedules_say_why_they_were_skipped_and_a_pause_of_one_can_be_taken_back() throws Exception {
        send("PUT", "queues/crammed/config", "{\"max_size\":1,\"overflow_policy\":\"reject\"}");
        enqueue("crammed", "");
        schedule("crammed", "crammed");
        schedule("often", "ticks");
        open("schedules");
        browser.awaitText("skipped: the queue was full");

        open("schedules/crammed");
        browser.press("Pause…");
        browser.confirm("Pause");
        browser.awaitText("Schedule 'crammed' is paused");
        browser.press("Undo");
        browser.awaitText("Taken back");
        browser.awaitNoText("Schedule 'crammed' is paused");

        browser.type("preview-expression", "30 2 * * *");
        browser.type("preview-timezone", "Europe/Berlin");
        browser.press("Preview");
        browser.awaitText("Clocks are set ahead in Europe/Berlin");
        browser.awaitText("02:30:00 +0");

        open("schedules/often");
        browser.press("Run now…");
        browser.confirm("Run now");
        browser.awaitText("is in its queue.");
        browser.awaitText("by hand");
    }

    @Test
    @Order(10)
    void the_graph_of_a_workflow_names_what_it_waits_for_and_it_can_be_retried_and_cancelled() throws Exception {
        String chain = send("POST", "workflows", """
                        {"type": "chain", "name": "refund", "steps": [
                          {"type": "refund.check", "args": [], "options": {"queue": "refunds", "retry": {"max_attempts": 1}}},
                          {"type": "refund.pay", "args": [], "options": {"queue": "refunds"}}]}""").at("/workflow/id").asString();
        open("workflows/" + chain);
        browser.await(
                "a reason in the graph",
                () -> browser.run(
                                "return [...document.querySelectorAll('svg.graph .reason')].some(each => each.textContent === 'waits for step 0')")
                        .booleanValue());
        failNext("refunds", 1);
        browser.awaitText("The workflow has failed: step '0' did");
        browser.await("the failed step", () -> count("svg.graph .box.failed") == 1);
        browser.await("where the time went", () -> count(".times rect.own") == 2);
        browser.press("Retry failed…");
        browser.confirm("Retry failed");
        browser.awaitText("The workflow runs again.");
        browser.await("no failed step", () -> count("svg.graph .box.failed") == 0);

        String jobs = "{\"type\":\"email.send\",\"args\":[],\"options\":{\"queue\":\"thirty\"}},".repeat(30);
        String group = send(
                        "POST",
                        "workflows",
                        "{\"type\":\"group\",\"name\":%s,\"jobs\":[%s]}"
                                .formatted(Browser.quoted(HOSTILE), jobs.substring(0, jobs.length() - 1)))
                .at("/workflow/id")
                .asString();
        open("workflows?state=running");
        browser.awaitText(HOSTILE);
        open("workflows/" + group);
        browser.await("one box for all", () -> count("svg.graph .box") == 1 && count("svg.graph .part.pending") == 1);
        browser.press("Cancel workflow…");
        browser.awaitText("Callbacks do not run.");
        assertThat(browser.canPress("Cancel workflow")).isFalse();
        browser.type("typed", group.substring(group.length() - 6));
        browser.confirm("Cancel workflow");

        browser.awaitText("30 steps cancelled.");
        browser.awaitText("The workflow was cancelled");
    }

    @Test
    @Order(11)
    void a_queue_that_producers_fill_faster_says_so_until_its_bound_is_raised() throws Exception {
        send("PUT", "queues/crowded/config", "{\"max_size\":10,\"overflow_policy\":\"reject\"}");
        enqueue("crowded", "");
        assertThat(fetch("crowded", 1, "")).hasSize(1);
        for (int i = 0; i < 14; i++)
            client.send(
                    request("POST", "jobs", "{\"type\":\"email.send\",\"queue\":\"crowded\",\"args\":[]}"),
                    BodyHandlers.discarding());
        open("queues/crowded");
        browser.awaitText("Queue 'crowded' is full:");
        browser.awaitText("5 jobs were rejected so far.");
        browser.awaitText("Start more workers for it");
        assertThat(verdict("queues/crowded")).isEqualTo("producers_faster");

        browser.press("Set bound");
        browser.awaitText("{\"max_size\":20}");
        browser.confirm("Set bound");

        browser.awaitNoText("is full:");
        assertThat(send("GET", "queues/crowded", null).at("/max_depth").intValue())
                .isEqualTo(20);
    }

    private void run(String worker, int jobs, long millis) throws Exception {
        JsonNode taken = send(
                        "POST",
                        "workers/fetch",
                        "{\"queues\":[\"paced\"],\"worker_id\":\"%s\",\"count\":%d,\"wait_ms\":0}"
                                .formatted(worker, jobs))
                .path("jobs");
        assertThat(taken).hasSize(jobs);
        long over = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        browser.await("the end of the runs", () -> System.nanoTime() >= over);
        for (JsonNode job : taken)
            send(
                    "POST",
                    "workers/ack",
                    "{\"job_id\":\"%s\",\"worker_id\":\"%s\"}"
                            .formatted(job.at("/id").asString(), worker));
    }

    @Test
    @Order(12)
    void of_five_workers_the_slow_one_is_named_and_gets_no_more_jobs() throws Exception {
        for (int i = 0; i < 26; i++) send("POST", "jobs", "{\"type\":\"paced.run\",\"queue\":\"paced\",\"args\":[]}");
        for (int i = 1; i <= 4; i++) run("quick-" + i, 4, 0);
        send("POST", "workers/heartbeat", "{\"worker_id\":\"drags\",\"active_jobs\":[]}");
        run("drags", 10, 600);
        open("");
        browser.awaitText("Worker 'drags' is slow: runs of 'paced.run' take");
        for (int i = 1; i <= 4; i++)
            assertThat(verdict("admin/workers/quick-" + i)).isNotEqualTo("slow");

        open("workers/drags");
        browser.awaitText("Compare its host");
        browser.press("Quiet");
        browser.confirm("Quiet");

        browser.awaitText("drags gets no more jobs.");
        Eventually.until(
                "it is quiet",
                () -> send("GET", "admin/workers/drags", null)
                        .at("/state")
                        .asString()
                        .equals("quiet"));
    }

    @Test
    @Order(13)
    void a_key_at_its_rate_says_when_the_next_job_starts_and_it_does() throws Exception {
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < 6; i++)
            jobs.add(enqueue(
                    "rated", ",\"rate_limit\":{\"key\":\"api.rated\",\"rate\":{\"limit\":1,\"period\":\"PT0.5S\"}}"));
        assertThat(fetch("rated", 1, "")).hasSize(1);
        List<Long> off = new ArrayList<>();
        for (String job : jobs.subList(1, jobs.size())) {
            assertThat(fetch("rated", 1, "")).isEmpty();
            JsonNode why = send("GET", "jobs/" + job + "/explain", null);
            assertThat(why.at("/verdict/code").asString()).isEqualTo("rate_limited");
            Instant until = Instant.parse(why.at("/findings/0/evidence/until").asString());
            String fetch = "{\"queues\":[\"rated\"],\"worker_id\":\"w1\",\"count\":1,\"wait_ms\":5000}";
            JsonNode started = send("POST", "workers/fetch", fetch).at("/jobs/0");
            assertThat(started.at("/id").asString()).isEqualTo(job);
            off.add(Duration.between(
                            until, Instant.parse(started.at("/started_at").asString()))
                    .abs()
                    .toMillis());
        }
        // Of a busy machine, the middle one.
        Collections.sort(off);
        assertThat(off.get(off.size() / 2)).as("ms off: %s", off).isLessThan(200);
    }

    private int enqueueOf(String tenant) throws Exception {
        String job = "{\"type\":\"sync\",\"queue\":\"shared\",\"args\":[],\"meta\":{\"tenant_id\":\"%s\"}}"
                .formatted(tenant);
        return client.send(request("POST", "jobs", job), BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    @Order(14)
    void a_tenant_that_fills_a_shared_queue_is_bounded_and_the_other_one_gets_in() throws Exception {
        send(
                "PUT",
                "admin/queues/shared/config",
                "{\"max_size\":20,\"overflow_policy\":\"reject\",\"tenants\":[{\"tenant_id\":\"*\",\"limits\":{\"max_queue_depth\":100}}]}");
        for (int i = 0; i < 20; i++) assertThat(enqueueOf("flood")).isEqualTo(201);
        assertThat(enqueueOf("drop")).isEqualTo(429);
        open("tenants");
        browser.awaitText("flood");
        open("tenants/flood");
        browser.awaitText("Tenant 'flood' has 100% of the full queue 'shared': 20 of 20 jobs");
        browser.press("Set bound");
        browser.awaitText("\"max_queue_depth\":10");
        browser.confirm("Set bound");
        browser.awaitText("Tenant 'flood' has all that it may have of queue 'shared': 10 jobs");

        for (JsonNode job : fetch("shared", 5, ""))
            send(
                    "POST",
                    "workers/ack",
                    "{\"job_id\":\"%s\",\"worker_id\":\"w1\"}"
                            .formatted(job.at("/id").asString()));
        assertThat(enqueueOf("flood")).isEqualTo(429);
        Eventually.until("room for the other one", () -> enqueueOf("drop") == 201);

        browser.awaitText("1 job was rejected in the last 10 min.");
        assertThat(verdict("admin/tenants/flood")).isEqualTo("at_bound");
        open("");
        browser.awaitText("tenant flood");
    }

    @Test
    @Order(15)
    void tenants_take_turns_with_weights_and_that_can_be_taken_back() throws Exception {
        for (String tenant : List.of("one", "two"))
            for (int i = 0; i < 4; i++) enqueue("turns", ",\"meta\":{\"tenant_id\":\"%s\"}".formatted(tenant));
        open("queues/turns");
        browser.awaitText("by arrival");
        browser.press("Turns of tenants…");
        browser.type("field-weights", "two 3x");
        browser.confirm("Turns of tenants");
        browser.awaitText("tenant_fairness.weights.two");
        browser.type("field-weights", "two 3, * 1");
        browser.confirm("Turns of tenants");
        browser.awaitText("The order of turns is set.");
        browser.awaitText("take turns: * 1, two 3");
        assertThat(fetch("turns", 4, ""))
                .extracting(job -> job.at("/meta/tenant_id").asString())
                .containsExactlyInAnyOrder("one", "two", "two", "two");

        browser.press("Turns of tenants…");
        browser.choose("field-turns", "no");
        browser.confirm("Turns of tenants");
        browser.awaitText("by arrival");
        browser.press("Undo");
        browser.awaitText("take turns: * 1, two 3");
        assertThat(send("GET", "queues/turns/config", null)
                        .at("/config/tenant_fairness/weights/two")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    @Order(16)
    void pools_have_weights_and_what_was_changed_of_one_can_be_taken_back() throws Exception {
        open("pools");
        browser.awaitText("There is no pool.");
        browser.press("New pool…");
        browser.type("field-name", "mailers");
        browser.type("field-queues", "billing.urgent 5, billing.rest");
        browser.confirm("New pool");
        browser.awaitText("Pool mailers is there.");
        assertThat(send("GET", "admin/pools/mailers", null)
                        .at("/pool/weights/billing.urgent")
                        .asInt())
                .isEqualTo(5);

        browser.press("Change…");
        browser.type("field-queues", "billing.urgent 2, billing.rest 1");
        browser.confirm("Change");
        browser.awaitText("Pool mailers is changed.");
        assertThat(send("GET", "admin/pools/mailers", null)
                        .at("/pool/weights/billing.urgent")
                        .asInt())
                .isEqualTo(2);
        browser.press("Undo");
        browser.awaitText("Taken back");
        assertThat(send("GET", "admin/pools/mailers", null)
                        .at("/pool/weights/billing.urgent")
                        .asInt())
                .isEqualTo(5);

        browser.press("Delete…");
        browser.confirm("Delete");
        browser.awaitText("There is no pool.");
        browser.press("Undo");
        browser.awaitText("billing.rest");
    }

    @Test
    @Order(17)
    void it_works_under_a_path_prefix_behind_a_proxy_that_buffers_and_says_how_often_it_asks() throws Exception {
        try (var proxy = BufferingProxy.start(URI.create(address), "/floodgate")) {
            String here = address;
            address = proxy.address();
            try {
                signIn(operator, "events");
                browser.await("earlier events", () -> count("tbody tr") > 0);
                String job = enqueue("proxied", "");
                browser.await("the event", () -> count("a[href=\"#/jobs/%s\"]".formatted(job)) > 0);
                browser.awaitText("every 5 s");
                open("queues/proxied");
                browser.awaitText("No worker has ever fetched from queue 'proxied'");
            } finally {
                address = here;
                signIn(operator, "");
            }
        }
    }

    @Test
    @Order(18)
    void a_worker_that_dies_is_silent_and_then_lost_with_the_jobs_that_it_had() throws Exception {
        Eventually.until("it is lost", () -> saidOfTheLost.contains("lost"));
        assertThat(List.copyOf(saidOfTheLost)).containsExactly("working", "silent", "lost");
        open("queues/lost");
        browser.awaitText("Worker 'dies' was lost with 8 jobs of queue 'lost'");
        open("workers/dies");
        browser.awaitText("Worker 'dies' is gone");
        browser.press("Forget");
        browser.confirm("Forget");
        browser.awaitText("dies is forgotten.");
        assertThat(send("GET", "queues/lost", null).at("/active").intValue()).isZero();
    }

    @Test
    @Order(19)
    void a_key_for_some_queues_sees_these_alone_and_may_change_nothing() throws Exception {
        fail("billing.more", 20);
        signIn(viewer, "");
        browser.awaitText("'billing.more' failed");
        assertThat(browser.text()).doesNotContain("narrow", "lonely", "Workers", "Limits", "System");

        open("queues/billing.more");
        browser.awaitText("100% of the last 20 runs");

        assertThat(browser.canPress("Pause…")).isFalse();
        browser.awaitText("buttons that change things take a key with the scope admin; yours has observe.");
        assertThat(browser.run("return document.querySelector('[data-action=\"queue.pause\"]').title")
                        .asString())
                .isEqualTo("This takes a key with the scope admin.");
        assertThat(browser.run("return document.documentElement.outerHTML + location.href")
                        .asString())
                .doesNotContain(viewer);
        open("queues/lonely");
        browser.awaitText("The key 'viewer' is not for queue 'lonely'.");
    }

    private String ground() {
        return browser.run("return getComputedStyle(document.documentElement).backgroundColor")
                .asString();
    }

    @Test
    @Order(20)
    void settings_are_kept_in_the_browser_and_say_what_the_key_is_for_and_until_when() {
        signIn(viewer, "settings");
        browser.awaitText("billing.*");
        assertThat(browser.text()).contains("Scopes\nobserve", "Valid until\nin 6 d");
        String before = ground();

        browser.choose("scheme", before.contains("20, 23, 27") ? "light" : "dark");
        browser.choose("density", "compact");
        browser.run("document.getElementById('utc').click()");
        browser.run("document.getElementById('absolute').click()");
        browser.await("the other scheme", () -> !ground().equals(before));
        String other = ground();

        open("settings");
        browser.awaitText("Kept in this browser");
        browser.await("the scheme that was chosen", () -> ground().equals(other));
        assertThat(browser.run(
                                "return [document.getElementById('density').value, document.getElementById('utc').checked, document.getElementById('absolute').checked]")
                        .toString())
                .isEqualTo("[\"compact\",true,true]");
        assertThat(browser.text()).containsPattern("Valid until\n\\d{4}-\\d\\d-\\d\\d .* UTC");
        browser.run("document.getElementById('live').click()");
        browser.awaitText("Paused");
        browser.run("localStorage.clear()");
        browser.press("Sign out");
        browser.awaitText("Sign in");
        assertThat(browser.run("return sessionStorage.length").intValue()).isZero();
    }

    @Test
    @Order(24)
    void a_key_that_was_removed_is_said_to_be_no_longer_valid() throws Exception {
        signIn(operator, "");
        browser.runAsync("const { useKey } = await import('./ui/api.js'); useKey('fg_aaaaaaaa_removed'); done(true)");

        browser.awaitText("This key is no longer valid: it has expired, or was removed.");
    }

    @Test
    @Order(21)
    void a_wrong_key_is_rejected_and_not_tried_again() {
        browser.open(address);
        browser.run("sessionStorage.clear()");
        browser.open(address);
        browser.awaitText("Sign in");
        browser.type("key", "fg_wrong");
        browser.press("Sign in");
        browser.awaitText("This key is not valid here.");
        assertThat(browser.run("return sessionStorage.length").intValue()).isZero();
    }

    @Test
    @Order(22)
    void what_time_it_is_says_an_answer_and_not_the_figures_in_it() {
        signIn(operator, "");

        assertThat(minutesAhead("text.replace(/\"as_of\":\"[^\"]+\"/, '\"as_of\":\"2020-01-01T00:00:00Z\"')", "each"))
                .as("with figures from long ago")
                .isZero();
        assertThat(minutesAhead("text", "new Date(Date.parse(each) + 600000).toUTCString()"))
                .as("of a server ten minutes ahead")
                .isEqualTo(10);
    }

    /** How far the page believes the server to be ahead, after an answer of which text and date were changed. */
    private int minutesAhead(String text, String date) {
        return browser.runAsync("""
                        const { request } = await import('./ui/api.js');
                        const { state } = await import('./ui/store.js');
                        const real = window.fetch;
                        window.fetch = async (...asked) => {
                          const answer = await real(...asked);
                          const text = await answer.text();
                          const each = answer.headers.get('Date');
                          return new Response(%s, { status: answer.status, headers: { Date: %s } });
                        };
                        await request('GET', 'ojs/v1/admin/overview');
                        window.fetch = real;
                        done(Math.round(state.skew / 60000))""".formatted(text, date)).intValue();
    }

    @Test
    @Order(25)
    void old_figures_are_said_to_be_old_and_nothing_is_offered_by_them() {
        signIn(operator, "");
        open("queues/paused");
        browser.awaitText("Key 'ops' paused it");
        assertThat(browser.canPress("Resume")).isTrue();

        running.close();
        browser.runAsync(
                "const { state, update } = await import('./ui/store.js'); state.overview.at -= 60000; update(); done(true)");

        browser.awaitText("What you see is old.");
        browser.await("no action", () -> !browser.canPress("Resume"));
    }

    @Test
    @Order(6)
    void encoded_arguments_are_decoded_by_the_readers_codec_server_with_a_token_of_the_reader() throws Exception {
        String job = send(
                        "POST",
                        "jobs",
                        "{\"type\":\"pay\",\"queue\":\"coded\",\"args\":[{\"ojs_encoded\":true,\"encoding\":\"binary/encrypted\","
                                + "\"data\":\"c2VjcmV0\"}],\"meta\":{\"ojs.codec.key_id\":\"key-1\"}}")
                .at("/job/id")
                .asString();
        open("jobs/" + job);
        browser.awaitText("Decode arguments");
        browser.press("Decode arguments");
        browser.awaitText("Token for the codec server");
        browser.type("codec-token", CodecServer.TOKEN);
        browser.press("Decode");
        browser.awaitText("Decoded arguments");
        browser.awaitText("4242 & <b>");
        assertThat(codecs.asked())
                .contains("\"encryption_key_id\":\"key-1\"", "\"encoding\":\"binary/encrypted\"", "c2VjcmV0");
        assertThat(send("GET", "jobs/" + job, null).toString()).doesNotContain("4242");
    }
}
