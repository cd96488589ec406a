package io.floodgate.gateway.capacity;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The fill level and bounds of a queue, as its partition has reported them.
 *
 * @param version grows with every change of the queue, also over its end and its coming into being again
 */
public record QueueCapacity(long version, long depth, long bytes, QueueConfig config) {
    /** Returns the capacity in a reply; nothing if it is from a processor that sends no versions. */
    static Optional<QueueCapacity> of(QueueLoad load) {
        OptionalLong version = load.number("version");
        if (version.isEmpty()) return Optional.empty();
        QueueConfig config = new QueueConfig(
                load.number("max_depth").orElse(0),
                load.number("max_size_bytes").orElse(0),
                load.text("strategy").flatMap(Overflow::parse).orElse(null),
                null);
        return Optional.of(new QueueCapacity(
                version.getAsLong(),
                load.number("depth").orElse(0),
                load.number("size_bytes").orElse(0),
                config));
    }

    /**
     * Returns whether this is newer. Of two reports of one step, which have one version, the one with more capacity
     * counts: then the partition is asked.
     */
    boolean isNewerThan(QueueCapacity other) {
        if (version != other.version) return version > other.version;
        return depth < other.depth || bytes < other.bytes;
    }

    /** Returns whether bounds and strategy are the same, so that what is rejected here is rejected there. */
    boolean judgesLike(QueueCapacity other) {
        return config.depthBound() == other.config.depthBound()
                && config.sizeBound() == other.config.sizeBound()
                && config.overflow() == other.config.overflow();
    }

    /** Returns the bound that the demand, and the one that comes before it, exceed. */
    Dimension over(Demand demand, long jobsBefore, long bytesBefore) {
        long depthBound = config.depthBound();
        if (depthBound > 0 && depth + jobsBefore + demand.jobs() > depthBound) return Dimension.DEPTH;
        long sizeBound = config.sizeBound();
        if (sizeBound > 0 && bytes + bytesBefore + demand.bytes() > sizeBound) return Dimension.SIZE;
        return Dimension.NONE;
    }

    /**
     * Returns whether the demand does not even fit into the empty queue: the partition rejects it, in words of its own.
     */
    boolean canNeverTake(Demand demand) {
        return (config.depthBound() > 0 && demand.jobs() > config.depthBound())
                || (config.sizeBound() > 0 && demand.bytes() > config.sizeBound());
    }

    /** The rejection with these figures, for a producer that has not waited. */
    Rejection putInto(Rejection rejection) {
        List<Rejection.Detail> details = new ArrayList<>();
        for (Rejection.Detail detail : rejection.details()) {
            switch (detail.name()) {
                case "depth" -> details.add(new Rejection.Detail("depth", Long.toString(depth)));
                case "size_bytes" -> details.add(new Rejection.Detail("size_bytes", Long.toString(bytes)));
                case "version" -> details.add(new Rejection.Detail("version", Long.toString(version)));
                case "pressure" ->
                    details.add(new Rejection.Detail("pressure", Double.toString(config.pressure(depth, bytes))));
                case "waited_ms" -> {}
                default -> details.add(detail);
            }
        }
        return new Rejection(rejection.code(), rejection.message(), details);
    }
}
