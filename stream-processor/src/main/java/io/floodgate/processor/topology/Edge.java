package io.floodgate.processor.topology;

import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.topics.Routing;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Services that all partitions of a process share.
 *
 * @param statusInterval how often a queue that changes all the time is published
 */
record Edge(
        Routing routing,
        PartitionWriter writer,
        ScheduledExecutorService scheduler,
        Clock clock,
        CommandTopics topics,
        Logs logs,
        DiskGuard disk,
        OpenPartitions open,
        StepWatch steps,
        Duration statusInterval,
        Meters meters) {}
