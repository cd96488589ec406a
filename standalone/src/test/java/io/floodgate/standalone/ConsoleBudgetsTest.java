package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.floodgate.gateway.GatewayConfig;
import io.floodgate.gateway.GatewayConfig.Access;
import io.floodgate.gateway.GatewayLimits;
import io.floodgate.gateway.overload.OverloadSettings;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.topics.Topics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What the console costs a browser with 100,000 queues and 1,000 events/s, while nine more pages are open: docs/reference/figures.md
 * has what it prints. {@code -Dconsole.minutes=10} stays longer on the overview than half a minute.
 */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(
        named = "console.budgets",
        matches = "true",
        disabledReason = "only in the long lane: it measures for a minute")
final class ConsoleBudgetsTest {
    private static final int QUEUES = 100_000;
    private static final int PAUSED_EACH = 100;
    private static final int EVENTS_PER_SECOND = 1_000;
    private static final int OTHER_PAGES = 9;
    private static final Duration ON_OVERVIEW =
            Duration.ofSeconds((long) (60 * Double.parseDouble(System.getProperty("console.minutes", "0.5"))));
    private static final Duration ON_EVENTS = Duration.ofSeconds(20);

    /** Notes, before anything of a page runs, when figures are there, which tasks are long, and which rows are drawn. */
    private static final String NOTES = """
            window.noted = {firstFigures: null, longTasks: [], rows: 0};
            new PerformanceObserver(list => list.getEntries().forEach(task => noted.longTasks.push([task.startTime, task.duration])))
              .observe({type: 'longtask', buffered: true});
            new MutationObserver(changes => {
              if (!noted.firstFigures && document.querySelector('main .figures')) noted.firstFigures = performance.now();
              for (const change of changes) for (const added of change.addedNodes) if (added.nodeName === 'TR') noted.rows++;
            }).observe(document, {childList: true, subtree: true});""";

    private final Running running = new Running();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong made = new AtomicLong();
    private Producer<String, byte[]> producer;
    private String address;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        assumeTrue(Browser.isInstalled(), "the packages chromium and chromium-driver are not installed");
        var limits = new GatewayLimits(100, 100_000_000, 20_000, 32_000_000, 20, 2 * QUEUES, OverloadSettings.DEFAULT);
        var http = new HttpConfig(
                "127.0.0.1",
                0,
                false,
                GatewayConfig.DEFAULT_WAIT,
                Duration.ZERO,
                new Access(List.of(), List.of(), Optional.empty(), Optional.empty()),
                limits,
                QueueTopics.Settings.DEFAULT,
                WebhookSettings.DEFAULT);
        var broker = new BrokerConfig(data.resolve("kafka"), 0, Optional.empty(), Map.of());
        var up = Standalone.start(
                new StandaloneConfig(broker, data.resolve("streams"), 4, 1, Logs.DEFAULT, http, Map.of()), running);
        address = "http://127.0.0.1:%d/".formatted(up.port());
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", up.bootstrap(), "linger.ms", "20"),
                new StringSerializer(),
                new ByteArraySerializer());
        for (int i = 0; i < QUEUES; i++) publish(i);
        producer.flush();
        Eventually.until(
                "all queues are listed",
                () -> new HttpApi(up.port())
                        .get("/ojs/v1/admin/overview")
                        .text("/queues/total")
                        .equals(String.valueOf(QUEUES)));
        var unused = threads.scheduleAtFixedRate(this::happen, 0, 20, TimeUnit.MILLISECONDS);
        for (int i = 0; i < OTHER_PAGES; i++) {
            var unusedPage = threads.scheduleAtFixedRate(this::look, 200L * i, 2_000, TimeUnit.MILLISECONDS);
        }
    }

    @AfterAll
    void stop() {
        threads.shutdownNow();
        if (producer != null) producer.close(Duration.ofSeconds(5));
        running.close();
        client.close();
    }

    private void publish(int queue) {
        String name = "team%d.queue%d".formatted(queue % 97, queue);
        String status =
                "{'name':'%s','created_at':'2026-02-12T09:00:00.000Z','updated_at':'%s','state':'active','config':{'max_depth':1000},'version':3,'depth':%d,'available':%d,'active':3,'fills_per_second':2.5,'drains_per_second':2.5,'completed_last_hour':900,'failed_last_hour':3,'last_fetched_at':'%2$s','paused':%b}"
                        .formatted(name, Instant.now(), 5 + queue % 300, 2 + queue % 300, queue % PAUSED_EACH == 0);
        var unused = producer.send(new ProducerRecord<>(
                Topics.QUEUE_STATUS, name, status.replace('\'', '"').getBytes(UTF_8)));
    }

    private void happen() {
        for (int i = 0; i < EVENTS_PER_SECOND / 50; i++) {
            long number = made.incrementAndGet();
            String queue = "team%d.queue%d".formatted(number % 97, number % QUEUES);
            String event =
                    "{'specversion':'1.0','id':'evt_%d','type':'job.completed','source':'ojs://test','time':'%s','subject':'019539a4-b68c-7def-8000-%012d','data':{'job_type':'email.send','queue':'%s','worker_id':'w-%d','duration_ms':%d,'attempt':1}}"
                            .formatted(number, Instant.now(), number, queue, number % 20, 100 + number % 50);
            var unused = producer.send(new ProducerRecord<>(
                    Topics.EVENTS, queue, event.replace('\'', '"').getBytes(UTF_8)));
        }
    }

    private void look() {
        var request = HttpRequest.newBuilder(URI.create(address + "ojs/v1/admin/overview"));
        client.sendAsync(request.build(), BodyHandlers.discarding()).join();
    }

    private static void pass(Browser browser, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) browser.command("Performance.getMetrics", "{}");
    }

    private static double metric(Browser browser, String name) {
        for (JsonNode metric : browser.command("Performance.getMetrics", "{}").at("/metrics"))
            if (metric.at("/name").asString().equals(name))
                return metric.at("/value").doubleValue();
        throw new AssertionError("Chromium does not know " + name);
    }

    private static double heap(Browser browser) {
        browser.command("HeapProfiler.collectGarbage", "{}");
        return metric(browser, "JSHeapUsedSize") / 1e6;
    }

    private static List<Double> longTasks(Browser browser, double after) {
        List<Double> lengths = new ArrayList<>();
        browser.run("return noted.longTasks").forEach(task -> {
            if (task.get(0).doubleValue() > after) lengths.add(task.get(1).doubleValue());
        });
        return lengths;
    }

    private void show(Browser browser, String page) {
        browser.open(address + "#/" + page);
        browser.await(
                "figures",
                () -> browser.run("return Boolean(document.querySelector('main .figures, main tbody tr'))")
                        .booleanValue());
    }

    @Test
    @Tag("long")
    void pages_are_within_their_budgets() throws Exception {
        try (Browser browser = Browser.start()) {
            browser.command("Performance.enable", "{}");
            browser.command(
                    "Page.addScriptToEvaluateOnNewDocument", "{\"source\": %s}".formatted(Browser.quoted(NOTES)));
            List<Double> firsts = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                show(browser, "");
                firsts.add(browser.run("return noted.firstFigures").doubleValue());
            }
            Collections.sort(firsts);
            int requests = browser.run("return performance.getEntriesByType('resource').length + 1")
                    .intValue();

            pass(browser, Duration.ofSeconds(10));
            double heapBefore = heap(browser);
            double busyBefore = metric(browser, "TaskDuration");
            browser.run("performance.clearResourceTimings(); performance.setResourceTimingBufferSize(10000)");
            pass(browser, ON_OVERVIEW);
            double busy = (metric(browser, "TaskDuration") - busyBefore) / ON_OVERVIEW.toSeconds();
            double bytes = browser.run(
                                    "return performance.getEntriesByType('resource').reduce((sum, each) => sum + each.transferSize, 0)")
                            .doubleValue()
                    / ON_OVERVIEW.toSeconds();
            double heapAfter = heap(browser);
            int nodes =
                    browser.run("return document.querySelectorAll('*').length").intValue();
            List<Double> overview = longTasks(browser, 1_000);

            show(browser, "events");
            browser.awaitText("live");
            pass(browser, Duration.ofSeconds(3));
            int rowsBefore = browser.run("return noted.rows").intValue();
            pass(browser, ON_EVENTS);
            double rows = (browser.run("return noted.rows").intValue() - rowsBefore) / (double) ON_EVENTS.toSeconds();
            List<Double> events = longTasks(browser, 1_000);

            System.out.printf(
                    "%,d queues, %d events/s, %d pages: first figures after %.0f ms at best, %.0f in the middle; %d requests; on the overview "
                            + "%.1f KB/s, %d nodes, heap %.1f then %.1f MB, %.1f%% of a core, long tasks %s; on the events page %.1f rows/s, long tasks %s%n",
                    QUEUES,
                    EVENTS_PER_SECOND,
                    OTHER_PAGES + 1,
                    firsts.getFirst(),
                    firsts.get(firsts.size() / 2),
                    requests,
                    bytes / 1_000,
                    nodes,
                    heapBefore,
                    heapAfter,
                    100 * busy,
                    overview,
                    rows,
                    events);
            assertThat(rows).as("rows a second").isLessThanOrEqualTo(21);
            assertThat(nodes).as("nodes").isLessThanOrEqualTo(2_000);
            assertThat(heapAfter - heapBefore).as("MB more").isLessThan(5);
            assertThat(requests).isLessThanOrEqualTo(40);
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
