package io.floodgate.gateway.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.gateway.job.JobOperations;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.QueueNames;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.system.PartitionOwners;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Rejection.Detail;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.event.OjsEvent;
import io.helidon.http.Status;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code …/explain}: gathers the facts, and answers with what follows from them. */
public final class ExplainOperations {
    private static final int MAX_SIMILAR = 5;

    private final Partitions partitions;
    private final PartitionOwners owners;
    private final StatusTable table;
    private final EventLog events;
    private final ExplainBudget budget;
    private final Clock clock;

    public ExplainOperations(FactSource source, StatusTable table, EventLog events, ExplainBudget budget, Clock clock) {
        partitions = source.partitions();
        owners = source.owners();
        this.table = table;
        this.events = events;
        this.budget = budget;
        this.clock = clock;
    }

    public ApiResponse queue(Call call) throws RejectedException {
        ExplanationAnswer form = ExplanationAnswer.wanted(call);
        String name = QueueNames.check(call.parameter("name"));
        budget.take();
        PartitionId owner = partitions.ofQueue(name).partition();
        QueueStanding queue;
        try {
            queue = standing(call, name);
        } catch (CommandFailed silent) {
            return form.of(Status.OK_200, silent(name, owner, silent));
        }
        if (queue.isKnown()) {
            boolean confined =
                    call.caller().identity() != null && call.caller().identity().isConfined();
            return form.of(Status.OK_200, QueueExplainer.explain(queue, confined));
        }
        Explanation unknown = QueueExplainer.unknown(name, queue.now(), owner.toString(), similar(call, name));
        return notFound(form, "queue", unknown);
    }

    private Explanation silent(String name, PartitionId owner, Exception silent) {
        PublishedStatus last = table.find(name);
        return QueueExplainer.silent(
                name, clock.instant(), silence(owner, silent), last == null ? null : Facts.of(last.json()));
    }

    private Silence silence(PartitionId partition, Exception silent) {
        return new Silence(partition, String.valueOf(silent.getMessage()), owners.of(partition));
    }

    /** The latest failures of runs: who asks about several queues looks through all events once. */
    List<OjsEvent> failures() {
        return events.all().stream()
                .filter(event -> event.type().equals("job.failed"))
                .toList();
    }

    /**
     * Asks now, and waits for the answer when the explanation is wanted: so several can be asked about at a time.
     *
     * @param confined the caller may use some queues only
     * @param happened the latest events
     */
    Supplier<Explanation> queue(String name, boolean confined, List<OjsEvent> happened) {
        PartitionId owner = partitions.ofQueue(name).partition();
        CompletableFuture<Reply> reply = partitions.ofQueue(name).send(new ExplainQueue(name));
        return () -> {
            try {
                Facts facts = Facts.of(Partitions.await(reply).getFirst());
                QueueStanding queue = new QueueStanding(facts, LostWorkers.of(happened, name, clock.instant()));
                if (queue.isKnown()) return QueueExplainer.explain(queue, confined);
                return QueueExplainer.unknown(name, queue.now(), owner.toString(), List.of());
            } catch (CommandFailed | RejectedException silent) {
                return silent(name, owner, silent);
            }
        };
    }

    public ApiResponse job(Call call) throws RejectedException {
        ExplanationAnswer form = ExplanationAnswer.wanted(call);
        JobId id = JobOperations.id(call);
        budget.take();
        PartitionId owner = partitions.ofJob(id).partition();
        try {
            return answer(form, "job", () -> JobExplainer.explain(jobStanding(call, id)), () -> {
                String last = call.caller().identity() == null ? lastEvent(id.toString()) : "";
                return JobExplainer.unknown(id.toString(), clock.instant(), owner.toString(), last);
            });
        } catch (CommandFailed silent) {
            return form.of(Status.OK_200, JobExplainer.silent(id.toString(), clock.instant(), silence(owner, silent)));
        }
    }

    private JobStanding jobStanding(Call call, JobId id) throws CommandFailed, RejectedException {
        JobAnswer answer = JobAnswer.ask(partitions, call, new GetJob(id));
        Tenant.mustOwn(call, answer);
        Facts job = Facts.of(answer.job());
        byte[] errors = answer.errors();
        String worker = job.text("worker_id");
        boolean isActive = "active".equals(job.text("state"));
        return new JobStanding(
                job,
                errors == null ? Facts.NONE : Facts.of(errors),
                standing(call, String.valueOf(job.text("queue"))),
                isActive && worker != null ? worker(call, worker) : null);
    }

    /** As its registry has it; null if there is no answer. */
    private @Nullable Facts worker(Call call, String worker) {
        try {
            return Facts.of(partitions.by(call).ofWorker(worker).askLine(new GetWorker(worker)));
        } catch (CommandFailed | RejectedException unknown) {
            return null;
        }
    }

    private String lastEvent(String job) {
        String last = "";
        for (OjsEvent event : events.all())
            if (job.equals(event.subject())) last = "%s at %s".formatted(event.type(), event.time());
        return last;
    }

    private QueueStanding standing(Call call, String queue) throws CommandFailed, RejectedException {
        Facts facts = Facts.of(partitions.by(call).ofQueue(queue).askLine(new ExplainQueue(queue)));
        return new QueueStanding(facts, LostWorkers.of(events.all(), queue, clock.instant()));
    }

    /** How something stands, as those who have it say. */
    interface Known {
        Explanation get() throws CommandFailed, RejectedException;
    }

    /** @param unknown if it is not there */
    static ApiResponse answer(ExplanationAnswer form, String kind, Known known, Supplier<Explanation> unknown)
            throws CommandFailed, RejectedException {
        try {
            return form.of(Status.OK_200, known.get());
        } catch (RejectedException rejected) {
            if (rejected.rejection().code() != ErrorCode.NOT_FOUND) throw rejected;
            return notFound(form, kind, unknown.get());
        }
    }

    /** As other routes answer it, with the explanation among the details. */
    static ApiResponse notFound(ExplanationAnswer form, String kind, Explanation unknown) throws RejectedException {
        if (form != ExplanationAnswer.JSON) return form.of(Status.NOT_FOUND_404, unknown);
        Rejection rejection = Rejection.notFound(kind, unknown.subject().name());
        List<Detail> details = new ArrayList<>(rejection.details());
        details.add(new Detail("explanation", new String(unknown.json().toBytes(), UTF_8)));
        throw new RejectedException(new Rejection(rejection.code(), rejection.message(), details));
    }

    private List<String> similar(Call call, String name) {
        return table.page(other -> isSimilar(name, other) && call.caller().mayUse(other), 0, MAX_SIMILAR).stream()
                .map(PublishedStatus::name)
                .toList();
    }

    /** One contains the other, or they begin or end alike. */
    static boolean isSimilar(String name, String other) {
        String one = name.toLowerCase(Locale.ROOT);
        if (one.contains(other) || other.contains(one)) return true;
        int same = Math.min(4, Math.max(1, name.length() - 1));
        return other.length() >= same
                && Math.abs(other.length() - name.length()) <= 2
                && (other.startsWith(one.substring(0, same)) || other.endsWith(one.substring(one.length() - same)));
    }
}
