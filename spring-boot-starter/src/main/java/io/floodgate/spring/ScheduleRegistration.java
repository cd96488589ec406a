package io.floodgate.spring;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Registers the schedules of an application, and removes those that it had before. A server that does not answer is asked
 * again until it does; one that rejects the list stops the application, since it would run without its schedules.
 */
final class ScheduleRegistration implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduleRegistration.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final FloodgateProperties properties;
    private final @Nullable String application;
    private final JsonMapper json;
    private @Nullable ScheduledExecutorService repeating;

    ScheduleRegistration(FloodgateProperties properties, @Nullable String application, JsonMapper json) {
        this.properties = properties;
        this.application = application;
        this.json = json;
    }

    void begin(List<HandlerMethod> methods) {
        List<Map<String, Object>> crons = methods.stream()
                .filter(method -> method.schedule() != null)
                .map(this::cron)
                .toList();
        if (crons.isEmpty() && !properties.schedules().register()) return;
        HttpRequest request = request(crons);
        if (isRegistered(request)) return;
        ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("floodgate-schedules").factory());
        repeating = later;
        var unused = later.scheduleWithFixedDelay(
                () -> repeat(request, later), PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Map<String, Object> cron(HandlerMethod method) {
        OjsSchedule schedule = Objects.requireNonNull(method.schedule());
        return Map.of(
                "name", schedule.name().isEmpty() ? method.type() : schedule.name(),
                "expression", schedule.value(),
                "timezone", schedule.timezone(),
                "overlap_policy", schedule.overlap(),
                "queue", method.handler().queue(),
                "type", method.type(),
                "args", args(method, schedule));
    }

    private Object args(HandlerMethod method, OjsSchedule schedule) {
        try {
            return json.readValue(schedule.args(), List.class);
        } catch (JacksonException unreadable) {
            throw new IllegalStateException(
                    "The arguments of the schedule of %s are no JSON list: %s"
                            .formatted(method.method(), schedule.args()),
                    unreadable);
        }
    }

    private HttpRequest request(List<Map<String, Object>> crons) {
        String manager = properties.schedules().managedBy();
        if (manager == null) manager = application;
        if (manager == null || properties.url() == null)
            throw new IllegalStateException(
                    "Schedules are registered over HTTP in the name of the application: set floodgate.url, and"
                            + " spring.application.name or floodgate.schedules.managed-by.");
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(properties.url() + "/ojs/v1/cron"))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(json.writeValueAsString(Map.of("managed_by", manager, "crons", crons))));
        properties.headers().forEach(builder::header);
        return builder.build();
    }

    /** Returns false if the server may take the list later. */
    private static boolean isRegistered(HttpRequest request) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() == 200) return true;
            String said =
                    "The schedules were not registered: status %d, %s".formatted(answer.statusCode(), answer.body());
            if (answer.statusCode() < 500 && answer.statusCode() != 429) throw new IllegalStateException(said);
            LOG.warn("{} They are registered later.", said);
        } catch (IOException unreachable) {
            LOG.warn("{} does not answer ({}): schedules are registered later.", request.uri(), unreachable.toString());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void repeat(HttpRequest request, ScheduledExecutorService later) {
        try {
            if (!isRegistered(request)) return;
            LOG.info("The schedules are registered.");
        } catch (IllegalStateException rejected) {
            LOG.error("This application runs without its schedules.", rejected);
        }
        later.shutdown();
    }

    @Override
    public void close() {
        if (repeating != null) repeating.shutdownNow();
    }
}
