package io.floodgate.gateway.explain;

import io.floodgate.gateway.admin.TenantAdministration;
import io.floodgate.gateway.admin.WorkerAdministration;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.explain.SystemStanding.Unbounded;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Operation;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.limit.LimitOperations;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.system.PartitionOwners;
import io.floodgate.gateway.system.Readiness;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.Reply;
import io.helidon.http.Status;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Explanations of what is not in one partition: rate limits, and the server as a whole. */
public final class ServerExplanations {
    private static final int MAX_UNBOUNDED = 3;

    private final Partitions partitions;
    private final PartitionOwners owners;
    private final LimitOperations limits;
    private final Readiness readiness;
    private final Overload overload;
    private final StatusTable table;
    private final ExplainBudget budget;
    private final Clock clock;

    public ServerExplanations(
            FactSource source,
            LimitOperations limits,
            Readiness readiness,
            Overload overload,
            StatusTable table,
            ExplainBudget budget,
            Clock clock) {
        partitions = source.partitions();
        owners = source.owners();
        this.limits = limits;
        this.readiness = readiness;
        this.overload = overload;
        this.table = table;
        this.budget = budget;
        this.clock = clock;
    }

    public ApiResponse limit(Call call) throws CommandFailed, RejectedException {
        ExplanationAnswer form = ExplanationAnswer.wanted(call);
        budget.take();
        String key = LimitOperations.key(call);
        String from = partitions.ofLimit(key).partition().toString();
        return ExplainOperations.answer(
                form,
                "rate limit",
                () -> {
                    Facts limit = Facts.of(limits.figures(key));
                    RunsOfLimit runs = LimitExplainer.isHeldByRuns(limit)
                            ? RunsOfLimit.find(key, partitions)
                            : RunsOfLimit.NOT_LOOKED_FOR;
                    return LimitExplainer.explain(limit, runs, clock.instant(), from);
                },
                () -> LimitExplainer.unknown(key, clock.instant(), from));
    }

    /**
     * @param workers where what is known of the worker comes from
     * @param events which say how long runs took
     */
    public Operation worker(WorkerAdministration workers, EventLog events) {
        return call -> {
            ExplanationAnswer form = ExplanationAnswer.wanted(call);
            budget.take();
            String id = WorkerAdministration.name(call);
            String from = partitions.ofWorker(id).partition().toString();
            return ExplainOperations.answer(
                    form,
                    "worker",
                    () -> {
                        Instant now = clock.instant();
                        Facts worker = Facts.of(workers.figures(call));
                        return WorkerExplainer.explain(worker, now, from, WorkerSpeeds.of(events.all(), now));
                    },
                    () -> WorkerExplainer.unknown(id, clock.instant(), from));
        };
    }

    /** @param tenants where what is known of the tenant comes from */
    public Operation tenant(TenantAdministration tenants) {
        return call -> {
            ExplanationAnswer form = ExplanationAnswer.wanted(call);
            budget.take();
            String id = TenantAdministration.id(call);
            return ExplainOperations.answer(
                    form,
                    "tenant",
                    () -> TenantExplainer.explain(Facts.of(tenants.figures(call)), clock.instant()),
                    () -> TenantExplainer.unknown(id, clock.instant()));
        };
    }

    public ApiResponse system(Call call) throws RejectedException {
        ExplanationAnswer form = ExplanationAnswer.wanted(call);
        budget.take();
        return form.of(Status.OK_200, SystemExplainer.explain(standing()));
    }

    SystemStanding standing() {
        List<CompletableFuture<Reply>> replies = partitions.sendAll("inspect", new Inspect());
        Readiness.Finding ready = readiness.check();
        List<Facts> answers = new ArrayList<>();
        for (CompletableFuture<Reply> reply : replies) {
            try {
                answers.add(Facts.of(Partitions.await(reply).getFirst()));
            } catch (CommandFailed | RejectedException silent) {
                // Readiness says so.
            }
        }
        SortedMap<String, String> circuits = new TreeMap<>();
        overload.circuits()
                .notClosed()
                .forEach((name, circuit) -> circuits.put(name, circuit.state().label()));
        SortedMap<String, String> levels = new TreeMap<>();
        overload.levels().forEach((of, level) -> levels.put(of, level.label()));
        return new SystemStanding(
                clock.instant(),
                ready,
                ready.silent().stream()
                        .map(partition -> new Silence(partition, "", owners.of(partition)))
                        .toList(),
                circuits,
                levels,
                answers,
                unbounded(),
                table.count(ServerExplanations::isUnbounded));
    }

    private static boolean isUnbounded(PublishedStatus status) {
        return !status.config().isBounded();
    }

    private List<Unbounded> unbounded() {
        Comparator<PublishedStatus> deepest =
                Comparator.comparingLong(status -> -status.room().depth());
        return table.first(ServerExplanations::isUnbounded, deepest, MAX_UNBOUNDED).stream()
                .map(status -> new Unbounded(status.name(), status.room().depth()))
                .toList();
    }
}
