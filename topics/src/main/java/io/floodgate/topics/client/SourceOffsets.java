package io.floodgate.topics.client;

import io.floodgate.topics.command.SourceCommand.Beginning;
import io.floodgate.topics.json.Timestamps;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** Places in the topics of sources, as offsets. */
public final class SourceOffsets {
    private static final int PATIENCE_MS = 5_000;

    private final Admin admin;

    public SourceOffsets(Admin admin) {
        this.admin = admin;
    }

    /** @param start {@code earliest}, {@code latest}, or a time: the first record that is not older */
    public CompletableFuture<Long> of(TopicPartition partition, String start) {
        OffsetSpec spec = switch (start) {
            case Beginning.EARLIEST -> OffsetSpec.earliest();
            case Beginning.LATEST -> OffsetSpec.latest();
            default ->
                OffsetSpec.forTimestamp(Timestamps.parse(start)
                        .orElseThrow(() -> new IllegalArgumentException("no time: " + start))
                        .toEpochMilli());
        };
        // If no record is as young, those that come are.
        return offset(partition, spec)
                .thenCompose(offset -> offset < 0
                        ? offset(partition, OffsetSpec.latest())
                        : CompletableFuture.completedFuture(offset));
    }

    private CompletableFuture<Long> offset(TopicPartition partition, OffsetSpec spec) {
        KafkaFuture<ListOffsetsResultInfo> answer = admin.listOffsets(
                        Map.of(partition, spec), new ListOffsetsOptions().timeoutMs(PATIENCE_MS))
                .partitionResult(partition);
        return answer.toCompletionStage().toCompletableFuture().thenApply(ListOffsetsResultInfo::offset);
    }
}
