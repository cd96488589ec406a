package io.floodgate.gateway.system;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.overload.Level;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.gateway.overload.OverloadReport;
import io.floodgate.gateway.system.Readiness.Alarm;
import io.floodgate.gateway.system.Readiness.Finding;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.circuit.Circuit;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Manifest, health, readiness, metrics, and the front page. */
public final class SystemOperations {
    private static final Header TEXT = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/plain");
    private static final Header RETRY_SOON = HeaderValues.createCached(HeaderNames.RETRY_AFTER, "1");

    private final Readiness readiness;
    private final Metrics metrics;
    private final boolean textsForPublic;
    private final Optional<URI> codecServer;
    private final Overload overload;
    private final Clock clock;
    private final Instant startedAt;

    /** @param textsForPublic no key is asked for, so that the texts of alarms are not kept back elsewhere either */
    public SystemOperations(
            Readiness readiness,
            Metrics metrics,
            Overload overload,
            Clock clock,
            boolean textsForPublic,
            Optional<URI> codecServer) {
        this.overload = overload;
        this.readiness = readiness;
        this.metrics = metrics;
        this.clock = clock;
        startedAt = clock.instant();
        this.textsForPublic = textsForPublic;
        this.codecServer = codecServer;
    }

    public ApiResponse manifest(Call call) {
        return ApiResponse.ok(Manifest.write(codecServer));
    }

    public ApiResponse metrics(Call call) {
        return text(TEXT, metrics.scrape(readiness.check()));
    }

    private static ApiResponse.Whole text(Header type, String text) {
        return new ApiResponse.Whole(Status.OK_200, type, text.getBytes(StandardCharsets.UTF_8), List.of(), () -> {});
    }

    /** Answers whether some partitions answer, which is enough to be of use. */
    public ApiResponse health(Call call) {
        Finding finding = readiness.check();
        boolean usable = finding.isUsable();
        String status = finding.isWell() ? "ok" : usable ? "degraded" : "unhealthy";
        JsonOut out = JsonOut.object()
                .field("status", status)
                .field("version", Manifest.version())
                .field(
                        "uptime_seconds",
                        Duration.between(startedAt, clock.instant()).toSeconds())
                .beginObject("backend")
                .field("type", "kafka")
                .field("status", status)
                .field("connection", usable ? "connected" : "disconnected")
                .field("latency_ms", finding.latency().toMillis())
                .endObject()
                .beginObject("checks")
                .field("logs", finding.silent().isEmpty() ? "ok" : "silent: " + String.join(", ", names(finding)))
                .field("alarms", finding.alarms().isEmpty() ? "ok" : String.join(", ", codes(finding)))
                .field("set_aside", finding.quarantine())
                .endObject();
        ApiResponse.Whole answer =
                ApiResponse.json(usable ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503, out.endObject());
        return usable ? answer : answer.with(RETRY_SOON);
    }

    /** Answers whether callers should be sent here. One partition that is silent must not take away all the others. */
    public ApiResponse ready(Call call) {
        Finding finding = readiness.check();
        boolean ready = finding.isReady() && overload.circuits().kafka().mayWait();
        JsonOut out = JsonOut.object().field("status", ready ? "ready" : "not_ready");
        if (finding.closing()) out.field("closing", true);
        if (finding.loading()) out.field("loading", true);
        SortedMap<String, Circuit> circuits = overload.circuits().notClosed();
        SortedMap<String, Level> levels = overload.levels();
        if (!finding.isWell() || !circuits.isEmpty() || !levels.isEmpty()) out.field("degraded", true);
        write(circuits, levels, out);
        if (!finding.silent().isEmpty()) out.field("silent", names(finding));
        if (!finding.alarms().isEmpty()) {
            write(finding.alarms(), textsForPublic, out);
        }
        if (finding.quarantine() > 0) out.field("set_aside", finding.quarantine());
        Status status = ready ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503;
        ApiResponse.Whole answer = ApiResponse.json(status, out.endObject());
        return ready ? answer : answer.with(RETRY_SOON);
    }

    /** Answers how full this gateway and its partitions are. */
    public ApiResponse overload(Call call) {
        JsonOut out = JsonOut.object(2_048);
        OverloadReport.write(overload, out);
        return ApiResponse.ok(out.endObject());
    }

    /** @param texts they may name jobs and offsets */
    static void write(List<Alarm> alarms, boolean texts, JsonOut out) {
        out.beginArray("alarms");
        for (Alarm alarm : alarms) {
            out.beginObject()
                    .field("log", alarm.log().toString())
                    .field("code", alarm.code())
                    .field("since", alarm.since());
            if (texts) out.field("message", alarm.message());
            out.endObject();
        }
        out.endArray();
    }

    /** Writes the partitions that do not answer, and those that are too full. */
    private static void write(SortedMap<String, Circuit> circuits, SortedMap<String, Level> levels, JsonOut out) {
        if (!circuits.isEmpty()) {
            out.beginArray("circuits");
            circuits.forEach((name, circuit) -> out.beginObject()
                    .field("of", name)
                    .field("state", circuit.state().label())
                    .field("retry_after_seconds", circuit.pause().toSeconds())
                    .endObject());
            out.endArray();
        }
        if (!levels.isEmpty()) {
            out.beginObject("overload");
            levels.forEach((of, level) -> out.field(of, level.label()));
            out.endObject();
        }
    }

    private static List<String> names(Finding finding) {
        return finding.silent().stream().map(PartitionId::toString).toList();
    }

    private static List<String> codes(Finding finding) {
        return finding.alarms().stream().map(Alarm::code).distinct().toList();
    }
}
