package io.floodgate.gateway.job;

import io.floodgate.gateway.http.Answer;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.http.Ids;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.gateway.http.Operation;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.json.JsonOut;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import java.time.Duration;
import java.util.function.Function;

/** {@code /ojs/v1/jobs}. */
public final class JobOperations implements HttpService {
    public static final String PREFIX = "/ojs/v1/jobs";

    private final Dispatcher endpoints;
    private final CommandClient client;
    private final Duration patience;
    private final Enqueues enqueues;

    public JobOperations(Dispatcher endpoints, CommandClient client, Duration patience, Ids ids) {
        this.endpoints = endpoints;
        this.client = client;
        this.patience = patience;
        enqueues = new Enqueues(client, patience, ids);
    }

    @Override
    public void routing(HttpRules rules) {
        endpoints
                .under(PREFIX, rules)
                .post("", enqueues::one)
                .post("/batch", enqueues::batch)
                .get("/{id}", shown(GetJob::new))
                .delete("/{id}", shown(Cancel::new))
                .post("/{id}/cancel", shown(Cancel::new))
                .post("/{id}/activate", shown(Activate::new))
                .get("/{id}/result", this::result);
    }

    private Operation shown(Function<JobId, JobCommand> command) {
        return call -> ask(command.apply(id(call))).answer();
    }

    private JobAnswer ask(JobCommand command) throws CommandFailed, RefusedException {
        JobId id = command.job();
        return JobAnswer.of(client.call(client.routing().ofJob(id), id.toString(), command, patience));
    }

    /** The state, and the result once there is one; nobody is made to wait for it. */
    private Answer result(Call call) throws CommandFailed, RefusedException {
        JobId id = id(call);
        JsonOut out = new JsonOut().beginObject().field("job_id", id.toString());
        MemberWalk members = new MemberWalk(ask(new GetJob(id)).job());
        while (members.next()) {
            if (members.nameIs("state") || members.nameIs("result") || members.nameIs("completed_at"))
                members.copyTo(out);
        }
        return Answer.ok(out.endObject());
    }

    /** The id in the path. What cannot be an id names no job. */
    public static JobId id(Call call) throws RefusedException {
        String text = call.path("id");
        return JobId.parse(text).orElseThrow(() -> new RefusedException(Refusal.notFound("job", text)));
    }
}
