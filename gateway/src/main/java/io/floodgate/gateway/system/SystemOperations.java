package io.floodgate.gateway.system;

import io.floodgate.gateway.http.Answer;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.system.Readiness.Finding;
import io.floodgate.topics.LogId;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Manifest, health, readiness, metrics, and the front page. */
public final class SystemOperations implements HttpService {
    private static final Header TEXT = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/plain");
    private static final Header HTML = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/html; charset=utf-8");

    private final Dispatcher endpoints;
    private final Readiness readiness;
    private final Metrics metrics;
    private final Clock clock;
    private final Instant startedAt;

    public SystemOperations(Dispatcher endpoints, Readiness readiness, Metrics metrics, Clock clock) {
        this.endpoints = endpoints;
        this.readiness = readiness;
        this.metrics = metrics;
        this.clock = clock;
        startedAt = clock.instant();
    }

    @Override
    public void routing(HttpRules rules) {
        endpoints
                .under("", rules)
                .get("/", call -> text(HTML, FrontPage.HTML))
                .get("/ojs/manifest", call -> Answer.ok(Manifest.write()))
                .get("/health", this::health)
                .get("/ojs/v1/health", this::health)
                .get("/ready", this::ready)
                .get("/metrics", call -> text(TEXT, metrics.scrape()));
    }

    private static Answer text(Header type, String text) {
        return new Answer.Whole(Status.OK_200, type, text.getBytes(StandardCharsets.UTF_8), List.of(), () -> {});
    }

    /** Some logs are enough to be of use; without any there is nothing left to do. */
    private Answer health(Call call) {
        Finding finding = readiness.check();
        boolean usable = finding.silent().size() < finding.logs();
        String status = finding.isReady() ? "ok" : usable ? "degraded" : "unhealthy";
        JsonOut out = new JsonOut()
                .beginObject()
                .field("status", status)
                .field("version", Manifest.version())
                .field(
                        "uptime_seconds",
                        Duration.between(startedAt, clock.instant()).toSeconds())
                .name("backend")
                .beginObject()
                .field("type", "kafka")
                .field("status", status)
                .field("connection", usable ? "connected" : "disconnected")
                .field("latency_ms", finding.latency().toMillis())
                .endObject()
                .name("checks")
                .beginObject()
                .field("logs", finding.isReady() ? "ok" : "silent: " + names(finding))
                .endObject();
        return Answer.json(usable ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503, out.endObject());
    }

    private Answer ready(Call call) {
        Finding finding = readiness.check();
        JsonOut out = new JsonOut().beginObject().field("status", finding.isReady() ? "ready" : "not_ready");
        if (!finding.isReady())
            out.field("silent", finding.silent().stream().map(LogId::toString).toList());
        Status status = finding.isReady() ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503;
        Answer.Whole answer = Answer.json(status, out.endObject());
        return finding.isReady() ? answer : answer.with(HeaderValues.create(HeaderNames.RETRY_AFTER, "1"));
    }

    private static String names(Finding finding) {
        return String.join(", ", finding.silent().stream().map(LogId::toString).toList());
    }
}
