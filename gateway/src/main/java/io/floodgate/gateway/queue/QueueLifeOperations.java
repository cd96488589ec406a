package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.WaysIn;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;

/** Queues that operators make and delete (OJS queue configuration §9). */
public record QueueLifeOperations(Partitions partitions, StatusTable table, QueueTopics topics, WaysIn ways) {
    public static final String PATH = "/ojs/v1/queues";

    /** The configuration stands beside the name, or inside of what answers have it in. */
    public ApiResponse create(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json();
        String name = QueueNames.check(body.requiredText("name"));
        ConfigureQueue config = ConfigBody.read(name, body);
        if (!table.has(name)) topics.mustHaveRoom();
        PublishedStatus status =
                PublishedStatus.read(partitions.by(call).ofQueue(name).askLine(new CreateQueue(name, config.set())));
        table.answered(status);
        String topic = topics.made(name);
        boolean isRead =
                topic != null && ways.awaitRead(name, partitions.ofQueue(name).partition(), partitions.patience());
        return ApiResponse.json(Status.CREATED_201, QueueView.made(status, topic, topics.pending(topic, isRead)))
                .with(HeaderValues.create(HeaderNames.LOCATION, PATH + "/" + name));
    }

    public ApiResponse delete(Call call) throws CommandFailed, RejectedException {
        String name = QueueNames.check(call.parameter("name"));
        byte[] deleting = partitions.by(call).ofQueue(name).askLine(DeletionBody.read(name, call));
        return ApiResponse.json(Status.ACCEPTED_202, new JsonOut().raw(deleting));
    }
}
