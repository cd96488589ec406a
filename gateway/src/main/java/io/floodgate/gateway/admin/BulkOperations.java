package io.floodgate.gateway.admin;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.http.Operation;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.AdminCommand;
import io.floodgate.topics.command.AdminCommand.BeginBulk;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.AdminCommand.GetBulk;
import io.floodgate.topics.command.AdminCommand.StopBulk;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.DeleteJob;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many jobs at once (OJS bulk operations, admin §8). Jobs of a list are done one by one. A filter makes a
 * background task of its partitions; if it takes longer than a caller should wait, the answer says where to ask on.
 */
public final class BulkOperations {
    static final String PATH = "/ojs/v1/admin/operations";

    private static final Duration FIRST_LOOK = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final Partitions partitions;
    private final Ids ids;
    private final CapacityCache doors;
    private final Clock clock;
    private final DryRun dryRun;

    public BulkOperations(Partitions partitions, Ids ids, CapacityCache doors, Clock clock) {
        this.clock = clock;
        this.partitions = partitions;
        this.ids = ids;
        this.doors = doors;
        dryRun = new DryRun(partitions);
    }

    /** Returns the operation for dashboards, which have to confirm it. */
    public Operation confirmed(BulkAction action) {
        return call -> {
            RequestFields body = call.json();
            confirm(body);
            return act(call, action, body, true, false);
        };
    }

    /** Retries dead letters. An empty filter means all of them, as it does where they are deleted. */
    public ApiResponse retryDead(Call call) throws CommandFailed, RejectedException {
        return act(call, BulkAction.RETRY, call.json(), false, true);
    }

    public ApiResponse retryDeadConfirmed(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json();
        confirm(body);
        return act(call, BulkAction.RETRY, body, true, true);
    }

    public Operation open(BulkAction action) {
        return call -> act(call, action, call.json(), false, false);
    }

    /** {@code POST /dead-letter/purge?older_than=…}, as the command-line tool asks for it. */
    public ApiResponse purgeDead(Call call) throws CommandFailed, RejectedException {
        String olderThan = call.query("older_than").orElse(null);
        JobFilter filter = deadLetters(call, null);
        if (olderThan != null) filter = filter.takenIn(null, time(olderThan));
        return byFilter(call, BulkAction.DELETE, filter);
    }

    /** {@code DELETE /admin/dead-letter} (OJS admin §11.3). */
    public ApiResponse deleteDead(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json().only(Set.of("queue", "older_than", "confirm", "dry_run"));
        confirm(body);
        String queue = body.text("queue");
        JobFilter filter = deadLetters(call, JobQuery.queue(queue, "queue"));
        if (body.has("older_than")) filter = filter.takenIn(null, time(body.requiredText("older_than")));
        return isDry(body) ? dryRun.count(call, BulkAction.DELETE, filter) : byFilter(call, BulkAction.DELETE, filter);
    }

    Instant time(String olderThan) throws RejectedException {
        return JobQuery.time(olderThan, "older_than", clock.instant());
    }

    private static JobFilter deadLetters(Call call, @Nullable String queue) throws RejectedException {
        return JobFilter.of(JobState.DISCARDED)
                .inQueue(queue)
                .ofTenant(Tenant.of(call).map(Tenant::id).orElse(null));
    }

    /** A dry run does nothing that would have to be confirmed. */
    static void confirm(RequestFields body) throws RejectedException {
        if (!body.flag("confirm") && !isDry(body))
            throw RequestFields.wrong("confirm", "This concerns many jobs: 'confirm' must be true.");
    }

    static boolean isDry(RequestFields body) throws RejectedException {
        return body.flag("dry_run");
    }

    private ApiResponse act(Call call, BulkAction action, RequestFields read, boolean admin, boolean mayBeAll)
            throws CommandFailed, RejectedException {
        BulkBody body = BulkBody.read(read, action, Tenant.of(call), clock.instant(), mayBeAll);
        List<JobId> named = body.ids();
        if (isDry(read))
            return named == null ? dryRun.count(call, action, body.filter()) : DryRun.ofNamed(action, named);
        return named == null ? byFilter(call, action, body.filter()) : byIds(call, action, named, admin);
    }

    // ---- by ids

    private ApiResponse byIds(Call call, BulkAction action, List<JobId> named, boolean admin)
            throws CommandFailed, RejectedException {
        boolean tenants = Tenant.of(call).isPresent();
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        if (!tenants) for (JobId id : named) replies.add(send(call, command(action, id)));
        JsonOut items = new JsonOut(4_096).beginArray();
        JsonOut errors = new JsonOut().beginArray();
        int failed = 0;
        for (int i = 0; i < named.size(); i++) {
            JobId id = named.get(i);
            items.beginObject().field("index", i).field("job_id", id.toString());
            try {
                if (tenants) Tenant.mustOwn(call, JobAnswer.of(Replies.await(send(call, new GetJob(id)))));
                Reply reply = Replies.await(tenants ? send(call, command(action, id)) : replies.get(i));
                JobAnswer.of(reply).tell(doors);
                items.field("status", BulkProgress.done(action));
            } catch (RejectedException rejected) {
                failed++;
                Rejection rejection = rejected.rejection();
                items.field("status", "failed")
                        .field("reason", Limits.echo(rejection.message()))
                        .beginObject("error")
                        .field("code", rejection.code().wire())
                        .field("message", Limits.echo(rejection.message()))
                        .endObject();
                errors.beginObject()
                        .field("job_id", id.toString())
                        .field("error", Limits.echo(rejection.message()))
                        .endObject();
            }
            items.endObject();
        }
        int succeeded = named.size() - failed;
        byte[] each = items.endArray().toBytes();
        JsonOut out = JsonOut.object(2 * each.length + 1_024)
                .field("action", action.wire())
                .field("total", named.size())
                .field("matched", named.size())
                .field("total_matched", named.size())
                .field("succeeded", succeeded)
                .field("affected", succeeded)
                .field(BulkProgress.done(action), succeeded)
                .field("failed", failed)
                .field("skipped", failed)
                .fieldRaw("items", each)
                .fieldRaw("results", each)
                .fieldRaw("errors", errors.endArray().toBytes())
                .endObject();
        return ApiResponse.json(failed == 0 || admin ? Status.OK_200 : Status.MULTI_STATUS_207, out);
    }

    private static JobCommand command(BulkAction action, JobId id) {
        return switch (action) {
            case CANCEL -> new Cancel(id);
            case RETRY -> new RetryJob(id);
            case DELETE, PURGE -> new DeleteJob(id);
        };
    }

    private CompletableFuture<Reply> send(Call call, JobCommand command) {
        return partitions.by(call).ofJob(command.job()).send(command);
    }

    // ---- by a filter

    ApiResponse purge(Call call, RequestFields body, JobFilter filter) throws CommandFailed, RejectedException {
        return isDry(body) ? dryRun.count(call, BulkAction.PURGE, filter) : byFilter(call, BulkAction.PURGE, filter);
    }

    private ApiResponse byFilter(Call call, BulkAction action, JobFilter filter)
            throws CommandFailed, RejectedException {
        List<PartitionId> logs = partitions.of(filter.queue());
        String operation = ids.job("").toString();
        long deadline = System.nanoTime() + partitions.patience().toNanos() / 2;
        BulkProgress progress = ask(call, logs, new BeginBulk(operation, action, filter));
        for (Duration pause = FIRST_LOOK; !progress.isOver() && System.nanoTime() < deadline; pause = longer(pause)) {
            LockSupport.parkNanos(pause.toNanos());
            progress = ask(call, logs, new GetBulk(operation));
        }
        JsonOut out = progress.write(operation);
        if (progress.isOver()) return ApiResponse.ok(out);
        return ApiResponse.json(Status.ACCEPTED_202, out)
                .with(HeaderValues.create(HeaderNames.LOCATION, PATH + "/" + operation));
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    private BulkProgress ask(Call call, List<PartitionId> logs, AdminCommand command)
            throws CommandFailed, RejectedException {
        List<byte[]> said = new ArrayList<>();
        for (CompletableFuture<Reply> reply : partitions.by(call).send(logs, "bulk", command))
            said.add(Partitions.await(reply).getFirst());
        return new BulkProgress(said);
    }

    public ApiResponse progress(Call call) throws CommandFailed, RejectedException {
        return known(call, new GetBulk(operation(call)));
    }

    public ApiResponse stop(Call call) throws CommandFailed, RejectedException {
        return known(call, new StopBulk(operation(call)));
    }

    private static String operation(Call call) throws RejectedException {
        String operation = call.parameter("id");
        if (JobId.parse(operation).isPresent()) return operation;
        throw new RejectedException(Rejection.notFound("operation", Limits.echo(operation)));
    }

    /** An operation may be known to one partition alone. */
    private ApiResponse known(Call call, AdminCommand command) throws CommandFailed, RejectedException {
        List<byte[]> said = new ArrayList<>();
        RejectedException unknown = null;
        for (CompletableFuture<Reply> reply : partitions.by(call).sendAll("bulk", command)) {
            try {
                said.add(Partitions.await(reply).getFirst());
            } catch (RejectedException rejected) {
                unknown = rejected;
            }
        }
        if (said.isEmpty() && unknown != null) throw unknown;
        return ApiResponse.ok(new BulkProgress(said).write(operation(call)));
    }
}
