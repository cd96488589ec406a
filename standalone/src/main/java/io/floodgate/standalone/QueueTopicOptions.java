package io.floodgate.standalone;

import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.queue.QueueTopics.Which;
import io.floodgate.topics.queue.EnqueueThrough;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which queues have topics of their own. */
final class QueueTopicOptions {
    @Option(
            names = "--queue-topics",
            paramLabel = "WHICH",
            defaultValue = "explicit",
            description =
                    "Which queues get a topic of their own, ojs.queue.NAME, to which Kafka clients may write jobs:"
                            + " 'explicit' are those made with POST /ojs/v1/queues, 'all', or 'none'.")
    String which = "explicit";

    @Option(
            names = "--queue-topic-partitions",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Partitions of such a topic, when it is created; jobs in one partition come in in their order.")
    int partitions = 1;

    @Option(
            names = "--enqueue-through",
            paramLabel = "TOPIC",
            defaultValue = "queue-topic",
            description = "What the gateway writes jobs to that come by HTTP for queues made with POST /ojs/v1/queues:"
                    + " 'queue-topic' is the queue's own topic, 'commands' is ojs.commands, which is some"
                    + " milliseconds quicker. A queue's enqueue_through goes before it.")
    String through = "queue-topic";

    @Option(
            names = "--max-queue-topics",
            paramLabel = "N",
            description = "Partitions that such topics may have in all: each takes memory of the brokers."
                    + " Default: one for each 400 KiB of the heap.")
    @Nullable
    Integer max;

    QueueTopics.Settings settings() {
        if (max != null && max < 0) throw new CommandErrors.Refusal("--max-queue-topics must not be negative: " + max);
        if (partitions < 1 || partitions > 1_000)
            throw new CommandErrors.Refusal("--queue-topic-partitions must be from 1 to 1000, not " + partitions);
        EnqueueThrough way = EnqueueThrough.parse(through)
                .orElseThrow(() -> new CommandErrors.Refusal(
                        "--enqueue-through must be 'queue-topic' or 'commands', not '%s'".formatted(through)));
        try {
            return new QueueTopics.Settings(
                    Which.valueOf(which.toUpperCase(Locale.ROOT)),
                    partitions,
                    way,
                    max == null ? QueueTopics.Settings.defaultMax() : max);
        } catch (IllegalArgumentException unknown) {
            throw new CommandErrors.Refusal(
                    "--queue-topics must be 'explicit', 'all' or 'none', not '%s'".formatted(which));
        }
    }
}
