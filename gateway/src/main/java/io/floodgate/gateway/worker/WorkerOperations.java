package io.floodgate.gateway.worker;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.pool.QueueOrder;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** {@code /ojs/v1/workers}. */
public final class WorkerOperations {
    private final Partitions partitions;
    private final JobDelivery delivery;
    private final WorkerBeats beats;

    /**
     * @param defaultWait how long workers wait for a job that poll without saying how long
     * @param directives which workers are to get no more jobs
     * @param closing whether waiting callers should be sent away, for the gateway is about to stop
     */
    public WorkerOperations(
            Partitions partitions,
            Duration defaultWait,
            Directives directives,
            CapacityCache doors,
            QueueOrder order,
            boolean testMode,
            BooleanSupplier closing) {
        this.partitions = partitions;
        PollingWorkers polling = new PollingWorkers(defaultWait);
        DeclaredVersions declared = new DeclaredVersions(partitions);
        delivery = new JobDelivery(partitions, polling, directives, declared, order, doors, closing);
        beats = new WorkerBeats(partitions, polling, directives, declared, testMode);
    }

    public ApiResponse fetch(Call call) throws CommandFailed, RejectedException {
        return delivery.fetch(call);
    }

    public ApiResponse ack(Call call) throws CommandFailed, RejectedException {
        return delivery.ack(call);
    }

    public ApiResponse nack(Call call) throws CommandFailed, RejectedException {
        return delivery.nack(call);
    }

    /** Workers without a loop of their own report under the job they were handed (OJS serverless §4). */
    public ApiResponse ackByPath(Call call) throws CommandFailed, RejectedException {
        return delivery.ackByPath(call);
    }

    public ApiResponse nackByPath(Call call) throws CommandFailed, RejectedException {
        return delivery.nackByPath(call);
    }

    public ApiResponse heartbeat(Call call) throws CommandFailed, RejectedException {
        return beats.heartbeat(call);
    }

    public ApiResponse beat(Call call) throws CommandFailed, RejectedException {
        return beats.beat(call);
    }

    public ApiResponse register(Call call) throws CommandFailed, RejectedException {
        return beats.register(call);
    }

    public ApiResponse health(Call call) throws CommandFailed, RejectedException {
        String worker = call.parameter("id");
        if (worker.length() > Limits.NAME_CHARS)
            throw new RejectedException(Rejection.notFound("worker", Limits.echo(worker)));
        byte[] entry = partitions.ofWorker(worker).askLine(new GetWorker(worker));
        JsonOut out = JsonOut.object(entry.length + 64);
        String state = "running";
        MemberWalk members = new MemberWalk(entry);
        while (members.next()) {
            if (members.nameIs("state")) state = members.text();
            else if (members.nameIs("about"))
                state = MemberWalk.text(members.raw(), "state").orElse(state);
            if (!members.nameIs("state")) members.copyTo(out);
        }
        return ApiResponse.ok(out.field("state", state).endObject());
    }
}
