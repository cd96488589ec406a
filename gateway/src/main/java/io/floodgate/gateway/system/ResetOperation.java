package io.floodgate.gateway.system;

import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.PartitionCommand.Reset;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.schema.SchemaCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Forgets everything. Only offered in test mode. */
public record ResetOperation(Partitions partitions, StatusTable table, EventLog events, SchemaCatalog schemas) {
    public ApiResponse reset(Call call) throws CommandFailed, RejectedException {
        List<List<byte[]>> looks = partitions.by(call).askAll("reset", new Inspect());
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (PartitionId log : partitions.all())
            replies.add(partitions.by(call).owner(log, "reset").send(new Reset(topicId(looks.get(replies.size())))));
        Partitions.awaitAll(replies);
        table.clear();
        events.clear();
        schemas.refreshed(partitions.patience());
        return ApiResponse.ok(JsonOut.object().field("reset", true).endObject());
    }

    /** A reset that has it was sent on purpose, and is no record that went astray. */
    private static String topicId(List<byte[]> inspected) {
        return MemberWalk.text(inspected.getFirst(), "topic_id").orElse("");
    }
}
