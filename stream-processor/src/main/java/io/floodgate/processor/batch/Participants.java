package io.floodgate.processor.batch;

import io.floodgate.processor.batch.BatchState.Part;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.Message.Turn;
import java.util.Map;

/** Sends the messages of a coordinator to the partitions that take part in a batch. */
record Participants(UniqueBatches unique, Effects out) {
    void ask(long number, BatchState batch, Part part, Map<PartitionId, Prepare> parts) {
        Prepare whole = parts.get(part.log);
        if (whole == null)
            throw new IllegalStateException("batch %d asks for nothing of %s".formatted(number, part.log));
        Prepare prepare = unique.replacing(number, part.log, whole);
        Turn turn = batch.patience == null ? null : batch.patience.turn(part, out.now());
        out.tell(part.log, "batch:" + number, prepare.on(turn));
    }

    void settle(long number, PartitionId log, boolean stored) {
        out.tell(log, "batch:" + number, new Settle(number, out.log(), stored));
    }
}
