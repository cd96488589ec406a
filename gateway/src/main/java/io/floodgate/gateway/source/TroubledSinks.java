package io.floodgate.gateway.source;

import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.SinkCommand.Row;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;

/** Sinks that cannot write. */
public record TroubledSinks(Partitions partitions) {
    /** Returns each with what fails. */
    public List<byte[]> find() throws CommandFailed, RejectedException {
        List<byte[]> found = new ArrayList<>();
        for (Row row : SinkOperations.all(partitions))
            if (row.standing().failingSince() != null && !row.sink().isPaused())
                found.add(JsonOut.object()
                        .field("id", row.sink().name())
                        .field("topic", row.sink().target().topic())
                        .optional("failing_since", row.standing().failingSince())
                        .optional("last_error", row.standing().error())
                        .endObject()
                        .toBytes());
        return found;
    }
}
