package io.floodgate.bench.run;

import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.Provisioner;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** How many records come into the logs, as the brokers count them. */
final class LogRecords implements AutoCloseable {
    private final Admin admin;
    private final Routing routing;

    LogRecords(Settings settings) {
        Map<String, Object> kafka = Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrap());
        try (Provisioner cluster = new Provisioner(kafka)) {
            routing = cluster.existingRouting();
        }
        admin = Admin.create(kafka);
    }

    /** Another queue that has the same log. */
    JobBodies neighbour(Settings settings, JobBodies jobs) {
        PartitionId log = routing.ofQueue(jobs.queue());
        for (int number = 0; ; number++) {
            JobBodies other = settings.jobs("-neighbour-" + number);
            if (routing.ofQueue(other.queue()).equals(log)) return other;
        }
    }

    /** From the start of the window to its end. */
    CompletableFuture<Long> within(MeasuredWindow window) {
        CompletableFuture<Long> records = new CompletableFuture<>();
        Thread.ofPlatform().name("bench-records").daemon().start(() -> {
            try {
                waitUntil(window.start());
                long before = count();
                waitUntil(window.end());
                records.complete(count() - before);
            } catch (ExecutionException | InterruptedException | RuntimeException failure) {
                records.completeExceptionally(failure);
            }
        });
        return records;
    }

    private long count() throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = routing.logs().stream()
                .collect(Collectors.toMap(
                        log -> new TopicPartition(Topics.COMMANDS, log.partition()), log -> OffsetSpec.latest()));
        return admin.listOffsets(ends).all().get().values().stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }

    private static void waitUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) LockSupport.parkNanos(left);
    }

    @Override
    public void close() {
        admin.close();
    }
}
