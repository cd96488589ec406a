package io.floodgate.gateway.system;

import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.PartitionCommand.Reset;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Forgets everything. Only offered in test mode. */
public final class ResetOperation {
    private final CommandClient client;
    private final Duration patience;
    private final StatusTable table;
    private final EventLog events;

    public ResetOperation(CommandClient client, Duration patience, StatusTable table, EventLog events) {
        this.client = client;
        this.patience = patience;
        this.table = table;
        this.events = events;
    }

    public ApiResponse reset(Call call) throws CommandFailed, RejectedException {
        List<PartitionId> logs = client.routing().logs();
        List<CompletableFuture<Reply>> looks = new ArrayList<>();
        for (PartitionId log : logs) looks.add(call.by(client).send(log, "reset", new Inspect(), patience));
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < looks.size(); i++)
            replies.add(call.by(client)
                    .send(logs.get(i), "reset", new Reset(topicId(Replies.await(looks.get(i)))), patience));
        for (CompletableFuture<Reply> reply : replies) JobAnswer.lines(Replies.await(reply));
        table.clear();
        events.clear();
        return ApiResponse.ok(new JsonOut().beginObject().field("reset", true).endObject());
    }

    /** A reset that has it was sent on purpose, and is no record that went astray. */
    private static String topicId(Reply inspected) throws RejectedException {
        return MemberWalk.text(JobAnswer.lines(inspected).getFirst(), "topic_id")
                .orElse("");
    }
}
