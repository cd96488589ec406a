package io.floodgate.gateway.worker;

import io.floodgate.gateway.http.Answer;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.WorkerCommand;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.json.JsonOut;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** {@code /ojs/v1/workers}. */
public final class WorkerOperations implements HttpService {
    public static final String PREFIX = "/ojs/v1/workers";

    private final Dispatcher endpoints;
    private final CommandClient client;
    private final Duration patience;
    private final JobDelivery work;
    private final WorkerBeats signs;

    /** @param closing whether waiting callers should be sent away, for the gateway is about to stop */
    public WorkerOperations(
            Dispatcher endpoints, CommandClient client, Duration patience, boolean testMode, BooleanSupplier closing) {
        this.endpoints = endpoints;
        this.client = client;
        this.patience = patience;
        work = new JobDelivery(client, patience, closing);
        signs = new WorkerBeats(client, patience, testMode);
    }

    @Override
    public void routing(HttpRules rules) {
        endpoints
                .under(PREFIX, rules)
                .post("/fetch", work::fetch)
                .post("/ack", work::ack)
                .post("/nack", work::nack)
                .post("/heartbeat", signs::heartbeat)
                .post("/beat", signs::beat)
                .post("/register", signs::register)
                .get("/{id}/health", this::health);
    }

    /** Workers without a loop of their own report under the job they were handed (OJS serverless §4). */
    public HttpService underJobs(String prefix) {
        return rules -> endpoints
                .under(prefix, rules)
                .post("/fetch", work::fetch)
                .post("/{id}/ack", work::ackByPath)
                .post("/{id}/nack", work::nackByPath);
    }

    private Answer health(Call call) throws CommandFailed, RefusedException {
        WorkerCommand command = new GetWorker(call.path("id"));
        var reply = client.call(
                client.routing().ofWorker(command.worker()), "worker:" + command.worker(), command, patience);
        byte[] entry = JobAnswer.lines(reply).get(0);
        JsonOut out = new JsonOut(entry.length + 64).beginObject();
        String state = "running";
        MemberWalk members = new MemberWalk(entry);
        while (members.next()) {
            if (members.nameIs("state")) state = members.text();
            else if (members.nameIs("about"))
                state = MemberWalk.text(members.raw(), "state").orElse(state);
            if (!members.nameIs("state")) members.copyTo(out);
        }
        return Answer.ok(out.field("state", state).endObject());
    }
}
