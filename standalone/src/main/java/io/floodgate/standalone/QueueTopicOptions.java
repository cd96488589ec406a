package io.floodgate.standalone;

import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.queue.QueueTopics.Which;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.queue.EnqueueThrough;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for which queues have topics of their own. */
final class QueueTopicOptions {
    @Option(
            names = "--queue-topics",
            paramLabel = "WHICH",
            defaultValue = "explicit",
            description = "Queues that get a topic of their own, ojs.queue.NAME, for Kafka clients: 'explicit'"
                    + " (created with POST /ojs/v1/queues), 'all', or 'none'.")
    String which = "explicit";

    @Option(
            names = "--queue-topic-partitions",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of partitions of a queue's own topic when it is created. Jobs in one partition"
                    + " keep their order.")
    int partitions = 1;

    @Option(
            names = "--enqueue-through",
            paramLabel = "TOPIC",
            defaultValue = "queue-topic",
            description = "Topic to which the gateway writes jobs for queues created with POST /ojs/v1/queues:"
                    + " 'queue-topic' is the queue's own topic, 'commands' is ojs.commands, a few milliseconds"
                    + " faster. A queue's enqueue_through setting takes precedence.")
    String through = "queue-topic";

    @Option(
            names = "--max-queue-topics",
            paramLabel = "N",
            description = "Maximum total number of partitions of queues' own topics. Default: one for each 400 KiB"
                    + " of the heap.")
    @Nullable
    Integer max;

    QueueTopics.Settings settings() {
        if (max != null && max < 0)
            throw new CommandErrors.Rejection("--max-queue-topics must not be negative: " + max);
        if (partitions < 1 || partitions > 1_000)
            throw new CommandErrors.Rejection("--queue-topic-partitions must be from 1 to 1000, not " + partitions);
        EnqueueThrough way = WireName.parse(EnqueueThrough.class, through)
                .orElseThrow(() -> new CommandErrors.Rejection(
                        "--enqueue-through must be 'queue-topic' or 'commands', not '%s'".formatted(through)));
        try {
            return new QueueTopics.Settings(
                    Which.valueOf(which.toUpperCase(Locale.ROOT)),
                    partitions,
                    way,
                    max == null ? QueueTopics.Settings.defaultMax() : max);
        } catch (IllegalArgumentException unknown) {
            throw new CommandErrors.Rejection(
                    "--queue-topics must be 'explicit', 'all' or 'none', not '%s'".formatted(which));
        }
    }
}
