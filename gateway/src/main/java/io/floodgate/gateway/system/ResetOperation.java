package io.floodgate.gateway.system;

import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.http.Answer;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.LogId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.LogCommand.Reset;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Forgets everything. Only offered in test mode. */
public final class ResetOperation implements HttpService {
    private final Dispatcher endpoints;
    private final CommandClient client;
    private final Duration patience;
    private final StatusTable table;
    private final EventLog events;

    public ResetOperation(
            Dispatcher endpoints, CommandClient client, Duration patience, StatusTable table, EventLog events) {
        this.endpoints = endpoints;
        this.client = client;
        this.patience = patience;
        this.table = table;
        this.events = events;
    }

    @Override
    public void routing(HttpRules rules) {
        endpoints.under("", rules).post("/ojs/v1/admin/reset", this::reset);
    }

    private Answer reset(Call call) throws CommandFailed, RefusedException {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (LogId log : client.routing().logs()) replies.add(client.send(log, "reset", new Reset(), patience));
        for (CompletableFuture<Reply> reply : replies) JobAnswer.lines(Replies.await(reply));
        table.clear();
        events.clear();
        return Answer.ok(new JsonOut().beginObject().field("reset", true).endObject());
    }
}
