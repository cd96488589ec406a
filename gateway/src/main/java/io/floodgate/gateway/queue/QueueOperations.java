package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Operation;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.QueueCommand;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CountPriorities;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Clock;
import java.util.Set;
import java.util.function.Predicate;

/** {@code /ojs/v1/queues}; pausing and configuring also under {@code /ojs/v1/admin/queues}. */
public record QueueOperations(Partitions partitions, StatusTable table, Clock clock) {
    /** Lists the queues that the caller may see. */
    public ApiResponse list(Call call) throws RejectedException {
        Paging paging = Paging.of(call);
        JsonOut out = JsonOut.object(4_096).beginArray("queues");
        Predicate<String> wanted = call.caller()::mayUse;
        boolean configured = !call.query("config").orElse("").equals("false");
        for (PublishedStatus status : table.page(wanted, paging.offset(), paging.limit()))
            QueueView.summary(status, configured, out);
        paging.write(table.count(status -> wanted.test(status.name())), out.endArray());
        return ApiResponse.ok(out.endObject());
    }

    public ApiResponse one(Call call) throws CommandFailed, RejectedException {
        return ApiResponse.ok(QueueView.detail(known(call)));
    }

    public ApiResponse config(Call call) throws CommandFailed, RejectedException {
        return isOfAll(call)
                ? ApiResponse.ok(QueueView.defaults(ask(call, new GetQueue(QueueConfig.DEFAULT), QueueConfig.DEFAULT)))
                : ApiResponse.ok(QueueView.configured(known(call)));
    }

    /** Configures a queue, also one that is not in use yet: operators configure queues before clients use them. */
    public ApiResponse configure(Call call) throws CommandFailed, RejectedException {
        String name = isOfAll(call) ? QueueConfig.DEFAULT : name(call);
        PublishedStatus status = ask(call, ConfigBody.read(name, decisions(call, name)), name);
        if (isOfAll(call)) table.defaultsChanged();
        return ApiResponse.ok(isOfAll(call) ? QueueView.defaults(status) : QueueView.configured(status));
    }

    /** Returns the fields that change something: a client may read a queue, change it and send it back. */
    private RequestFields decisions(Call call, String name) throws CommandFailed, RejectedException {
        byte[] body = call.body();
        RequestFields fields = RequestFields.of(body);
        return EchoedConfig.is(body)
                ? RequestFields.of(EchoedConfig.changes(body, ask(call, new GetQueue(name), name)))
                : fields;
    }

    /** Something that was decided about a queue on the way. */
    public void decide(Call call, ConfigureQueue command) throws CommandFailed, RejectedException {
        ask(call, command, command.queue());
    }

    /** Returns whether the call is about the policy for queues that have decided nothing themselves. */
    private static boolean isOfAll(Call call) {
        return call.parameter("name").equals(QueueConfig.DEFAULT);
    }

    /** Changes a queue's own limits alone (OJS rate limiting §7.2). */
    public ApiResponse limit(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        return ApiResponse.ok(QueueView.configured(ask(call, ConfigBody.readLimits(name, call.json()), name)));
    }

    /** Exact, hence asked of the partition. A queue that has never been used has zeros. */
    public ApiResponse stats(Call call) throws CommandFailed, RejectedException {
        PublishedStatus status = ask(call, new GetQueue(name(call)), name(call));
        // Clients that name a version, as all SDKs do, read 'queue' as a string; the conformance suites name none.
        boolean queueAsText = call.header(QueueView.VERSION) != null;
        return ApiResponse.ok(QueueView.stats(status, queueAsText, clock.instant()));
    }

    /** Answers how many available jobs there are of each priority, the highest first (OJS priority §10.3). */
    public ApiResponse priorities(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        return ApiResponse.ok(
                new JsonOut().raw(partitions.by(call).ofQueue(name).askLine(new CountPriorities(name))));
    }

    public Operation pause() {
        return call -> {
            String reason = call.jsonIfAny().only(Set.of("reason")).text("reason", Pause.REASON_CHARS);
            return switched(call, new Pause(name(call), reason));
        };
    }

    public Operation resume() {
        return call -> switched(call, new Resume(name(call)));
    }

    private ApiResponse switched(Call call, QueueCommand command) throws CommandFailed, RejectedException {
        return ApiResponse.ok(QueueView.switched(ask(call, command, name(call)), clock.instant()));
    }

    /** The queue in the path, exact; throws if it has never been used. */
    public PublishedStatus known(Call call) throws CommandFailed, RejectedException {
        PublishedStatus status = ask(call, new GetQueue(name(call)), name(call));
        if (!status.known()) throw new RejectedException(Rejection.notFound("queue", name(call)));
        return status;
    }

    private PublishedStatus ask(Call call, QueueCommand command, String name) throws CommandFailed, RejectedException {
        PublishedStatus status =
                PublishedStatus.read(partitions.by(call).ofQueue(name).askLine(command));
        table.answered(status);
        return status;
    }

    private static String name(Call call) throws RejectedException {
        return QueueNames.check(call.parameter("name"));
    }
}
