package io.floodgate.gateway.explain;

import io.floodgate.gateway.admin.TenantAdministration;
import io.floodgate.gateway.admin.WorkerAdministration;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.limit.LimitOperations;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.JsonOut;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What needs attention beside single queues: the server, its workers, tenants whose jobs are rejected, and limits that hold jobs back. */
public final class ServerProblems {
    /** Every partition is asked: not as often as the overview is asked for. */
    private static final Duration KEPT = Duration.ofSeconds(4);

    /** Each of these keys costs a question to every partition. */
    private static final int MAX_KEYS = 5;

    /**
     * @param partitions that answered, as they describe themselves
     * @param workers how many of them are in which state; null if that is not known
     */
    record Found(
            Finding system,
            List<Problem> problems,
            List<Facts> partitions,
            @Nullable Map<String, Long> workers) {
        void write(JsonOut out) {
            out.beginObject("system");
            system.writeHead(out);
            out.endObject();
            if (workers == null) return;
            out.beginObject("workers");
            workers.forEach(out::field);
            out.endObject();
        }
    }

    private final ServerExplanations server;
    private final WorkerAdministration workers;
    private final LimitOperations limits;
    private final TenantAdministration tenants;
    private final EventLog events;
    private final Clock clock;
    private final LongSupplier nanos;
    private @Nullable Found last;
    private long since;

    /** @param nanos a clock like {@code System.nanoTime()} */
    public ServerProblems(
            ServerExplanations server,
            WorkerAdministration workers,
            LimitOperations limits,
            TenantAdministration tenants,
            EventLog events,
            Clock clock,
            LongSupplier nanos) {
        this.server = server;
        this.workers = workers;
        this.limits = limits;
        this.tenants = tenants;
        this.events = events;
        this.clock = clock;
        this.nanos = nanos;
    }

    synchronized Found find(Call call) {
        Found known = last;
        if (known != null && nanos.getAsLong() - since < KEPT.toNanos()) return known;
        SystemStanding standing = server.standing();
        Explanation system = SystemExplainer.explain(standing);
        List<Problem> problems = new ArrayList<>();
        problems.addAll(Problem.of(system, 0));
        Map<String, Long> states = workers(call, problems);
        limits(problems);
        tenants(call, problems);
        Found found = new Found(system.verdict(), problems, standing.partitions(), states);
        last = found;
        since = nanos.getAsLong();
        return found;
    }

    private @Nullable Map<String, Long> workers(Call call, List<Problem> problems) {
        Instant now = clock.instant();
        Map<String, Long> states = new TreeMap<>(Map.of("running", 0L, "quiet", 0L, "stale", 0L, "left", 0L));
        WorkerSpeeds speeds = WorkerSpeeds.of(events.all(), now);
        try {
            for (byte[] each : workers.registered(call)) {
                Facts worker = Facts.of(each);
                states.merge(String.valueOf(worker.text("state")), 1L, Long::sum);
                problems.addAll(Problem.of(WorkerExplainer.explain(worker, now, "the registry", speeds), 0));
            }
        } catch (CommandFailed | RejectedException silent) {
            // The explanation of the server says which partitions do not answer.
            return null;
        }
        return states;
    }

    private void tenants(Call call, List<Problem> problems) {
        try {
            for (byte[] each : tenants.ofRejected(call)) {
                Facts tenant = Facts.of(each);
                problems.addAll(Problem.of(TenantExplainer.explain(tenant, clock.instant()), tenant.number("depth")));
            }
        } catch (CommandFailed | RejectedException silent) {
            // The explanation of the server says which partitions do not answer.
        }
    }

    private void limits(List<Problem> problems) {
        limits.gauges(MAX_KEYS).stream().filter(gauge -> gauge.waiting() > 0).forEach(gauge -> {
            try {
                Facts figures = Facts.of(limits.figures(gauge.key()));
                Explanation explanation =
                        LimitExplainer.explain(figures, RunsOfLimit.NOT_LOOKED_FOR, clock.instant(), "all partitions");
                problems.addAll(Problem.of(explanation, gauge.waiting()));
            } catch (CommandFailed | RejectedException gone) {
                // It has gone, or a partition does not answer, which the explanation of the server says.
            }
        });
    }
}
