package io.floodgate.standalone;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Producers and workers of a shop, over HTTP. What there is and how often is in {@code shop.json}. */
final class DemoShop implements AutoCloseable {
    static final JsonNode PLAN = plan();

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PARK_MS = 10_000;
    private static final long PAUSE_MS = 1_000;
    private static final int CUSTOMERS = 40;
    private static final List<String> TENANTS = List.of("north", "north", "north", "north", "south", "east");

    private final ServerOptions server;
    private final double pace;
    private final PrintStream err;
    private final HttpClient http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final long opened = System.nanoTime();
    private volatile boolean isClosed;
    private volatile String said = "";

    DemoShop(ServerOptions server, double pace, PrintStream err) {
        this.server = server;
        this.pace = pace;
        this.err = err;
        http = server.client();
    }

    private static JsonNode plan() {
        try (InputStream plan = DemoShop.class.getResourceAsStream("shop.json")) {
            return Json.reasonableTree(plan.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes queues and schedules, and begins. */
    void open() {
        try (ServerClient setup = new ServerClient(server, err)) {
            for (var queue : PLAN.path("queues").properties())
                setup.ok(setup.put("/ojs/v1/queues/" + queue.getKey() + "/config", Json.bytes(queue.getValue())));
            for (JsonNode schedule : PLAN.path("schedules")) setup.ok(setup.post("/ojs/v1/cron", Json.bytes(schedule)));
        }
        for (JsonNode producer : PLAN.path("producers")) threads.execute(() -> produce(producer));
        for (JsonNode worker : PLAN.path("workers")) threads.execute(() -> work(worker));
    }

    String figures() {
        return "%,d jobs and workflows accepted, %,d rejected; %,d runs completed, %,d failed"
                .formatted(accepted.get(), rejected.get(), completed.get(), failed.get());
    }

    private void produce(JsonNode producer) {
        String body = new String(Json.bytes(producer.path("body")), StandardCharsets.UTF_8);
        while (!isClosed) {
            for (int i = 0; i < producer.path("times").asInt(1) && !isClosed; i++) {
                HttpResponse<byte[]> answer = send(producer.path("to").asString(), filled(body));
                if (answer == null) continue;
                (answer.statusCode() < 300 ? accepted : rejected).incrementAndGet();
                if (answer.statusCode() >= 300 && answer.statusCode() != 429) sayAnswer(answer);
            }
            pause(producer.path("every_ms").asLong());
        }
    }

    private String filled(String body) {
        var random = ThreadLocalRandom.current();
        return body.replace("#n", Long.toString(numbers.incrementAndGet()))
                .replace("#customer", "customer-" + (1 + random.nextInt(CUSTOMERS)))
                .replace("#tenant", TENANTS.get(random.nextInt(TENANTS.size())));
    }

    private void work(JsonNode worker) {
        int most = worker.path("jobs").asInt();
        Semaphore free = new Semaphore(most);
        while (!isClosed) {
            try {
                free.acquire();
            } catch (InterruptedException end) {
                return;
            }
            int count = 1 + free.drainPermits();
            JsonNode jobs = fetch(worker, count);
            free.release(count - jobs.size());
            for (JsonNode job : jobs)
                threads.execute(() -> {
                    run(worker, job);
                    free.release();
                });
        }
    }

    private JsonNode fetch(JsonNode worker, int count) {
        String request = JsonOut.object()
                .fieldRaw("queues", Json.bytes(worker.path("queues")))
                .field("worker_id", worker.path("id").asString())
                .field("count", count)
                .field("wait_ms", PARK_MS)
                .endObject()
                .toString();
        HttpResponse<byte[]> answer = send("/ojs/v1/workers/fetch", request);
        if (answer != null && answer.statusCode() < 300)
            return Json.reasonableTree(answer.body()).path("jobs");
        if (answer != null) sayAnswer(answer);
        pause(PAUSE_MS);
        return Json.MAPPER.createArrayNode();
    }

    private void run(JsonNode worker, JsonNode job) {
        pause((long) (worker.path("takes_ms").asLong()
                * (0.5 + ThreadLocalRandom.current().nextDouble())));
        JsonNode error = errorOf(worker);
        JsonOut report = JsonOut.object()
                .field("job_id", job.path("id").asString())
                .field("worker_id", worker.path("id").asString())
                .field("lease", job.path("lease").asLong());
        if (error.isMissingNode()) report.fieldRaw("result", "{\"ok\":true}".getBytes(StandardCharsets.UTF_8));
        else report.fieldRaw("error", Json.bytes(error));
        String outcome = error.isMissingNode() ? "ack" : "nack";
        HttpResponse<byte[]> answer =
                send("/ojs/v1/workers/" + outcome, report.endObject().toString());
        if (answer != null && answer.statusCode() < 300) (outcome.equals("ack") ? completed : failed).incrementAndGet();
    }

    /** A missing node if the run succeeds. */
    private JsonNode errorOf(JsonNode worker) {
        JsonNode outage = worker.path("outage");
        double ms = (System.nanoTime() - opened) / 1e6 * pace;
        long every = outage.path("every_ms").asLong(1);
        if (every - ms % every <= outage.path("for_ms").asLong(0)) return outage.path("error");
        boolean fails =
                ThreadLocalRandom.current().nextDouble() < worker.path("fails").asDouble(0);
        return fails ? worker.path("error") : Json.MAPPER.missingNode();
    }

    /** Returns null if there is no answer. */
    private @Nullable HttpResponse<byte[]> send(String path, String body) {
        try {
            return http.send(
                    server.request(path)
                            .timeout(PATIENCE)
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofByteArray());
        } catch (IOException e) {
            if (!isClosed) say(server.noAnswer(e));
            pause(PAUSE_MS);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    private void sayAnswer(HttpResponse<byte[]> answer) {
        say("answered with status %d: %s".formatted(answer.statusCode(), Backup.message(answer.body())));
    }

    /** Says it, unless it was the last that was said. */
    private void say(String line) {
        if (line.equals(said)) return;
        said = line;
        err.println("floodgate: " + line);
    }

    private void pause(long ms) {
        try {
            Thread.sleep(Duration.ofNanos((long) (ms * 1e6 / pace)));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        isClosed = true;
        threads.shutdownNow();
        http.shutdownNow();
    }
}
