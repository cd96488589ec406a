package io.floodgate.gateway.deadletter;

import io.floodgate.gateway.http.Answer;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.JobOperations;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import java.time.Duration;
import java.util.List;

/** {@code /ojs/v1/dead-letter}. */
public final class DeadLetterOperations implements HttpService {
    public static final String PREFIX = "/ojs/v1/dead-letter";

    private static final List<String> OVERRIDES = List.of("args", "queue", "priority", "retry", "meta");

    private final Dispatcher endpoints;
    private final CommandClient client;
    private final Duration patience;

    public DeadLetterOperations(Dispatcher endpoints, CommandClient client, Duration patience) {
        this.endpoints = endpoints;
        this.client = client;
        this.patience = patience;
    }

    @Override
    public void routing(HttpRules rules) {
        endpoints
                .under(PREFIX, rules)
                .get("", this::list)
                .get("/{id}", this::one)
                .post("/{id}/retry", this::retry)
                .delete("/{id}", this::delete);
    }

    private Answer list(Call call) throws CommandFailed, RefusedException {
        Paging paging = Paging.of(call);
        DeadLetterPages dead = DeadLetterPages.of(client, patience, call.query("queue").orElse(null), paging);
        JsonOut out = new JsonOut(8_192).beginObject().name("jobs").beginArray();
        for (byte[] job : dead.page(paging.offset(), paging.limit())) out.raw(job);
        out.endArray().field("total", dead.total());
        paging.write(dead.total(), out);
        return Answer.ok(out.endObject());
    }

    private Answer one(Call call) throws CommandFailed, RefusedException {
        JobAnswer job = JobAnswer.of(ask(new GetJob(JobOperations.id(call))));
        if (!MemberWalk.text(job.job(), "state").orElse("").equals("discarded"))
            throw new RefusedException(Refusal.notFound("dead letter", call.path("id")));
        return job.answer();
    }

    private Answer retry(Call call) throws CommandFailed, RefusedException {
        RequestFields body = call.jsonIfAny();
        for (String name : OVERRIDES) {
            if (body.has(name))
                throw new RefusedException(Refusal.of(
                                ErrorCode.UNSUPPORTED,
                                "A dead letter is retried as it is; '%s' cannot be overridden.".formatted(name))
                        .with("field", name));
        }
        return JobAnswer.of(ask(new RetryDead(JobOperations.id(call)))).answer();
    }

    private Answer delete(Call call) throws CommandFailed, RefusedException {
        byte[] deleted = JobAnswer.lines(ask(new DeleteDead(JobOperations.id(call)))).get(0);
        return Answer.ok(new JsonOut().raw(deleted));
    }

    private Reply ask(JobCommand command) throws CommandFailed {
        JobId id = command.job();
        return client.call(client.routing().ofJob(id), id.toString(), command, patience);
    }
}
