package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.PressureLevels;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.QueueConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The fill levels of queues, for replies to commands that have changed something in them. */
record CapacityReport(Queues queues) {
    /**
     * Returns the fill levels of queues with bounds, a row for each.
     *
     * @param victims as if these had been dropped already
     */
    List<byte[]> loads(Collection<String> names, List<Bounds.Victim> victims) {
        List<byte[]> lines = new ArrayList<>();
        for (String name : names) {
            Queue queue = queues.find(name);
            if (queue == null || !(queue.config().isBounded() || queue.countsTenants())) continue;
            long depth = queue.counts.depth();
            long bytes = queue.counts.bytes();
            for (Bounds.Victim victim : victims) {
                if (!victim.queue().equals(name)) continue;
                if (victim.promise().counts()) depth--;
                bytes -= victim.promise().bytes();
            }
            lines.add(load(queue, depth, bytes));
        }
        return lines;
    }

    private static byte[] load(Queue queue, long depth, long bytes) {
        QueueConfig config = queue.config();
        double pressure = PressureLevels.of(config, depth, bytes);
        JsonOut line = JsonOut.object(256)
                .beginObject("load")
                .field("queue", queue.name)
                .field("depth", depth);
        if (config.depthBound() > 0) line.field("max_depth", config.depthBound());
        line.field("size_bytes", bytes);
        if (config.sizeBound() > 0) line.field("max_size_bytes", config.sizeBound());
        return line.field("strategy", config.overflow().wire())
                .field("pressure", pressure)
                .field("warning", PressureLevels.isWarning(config, depth, bytes))
                .field("version", queue.version)
                .endObject()
                .endObject()
                .toBytes();
    }
}
