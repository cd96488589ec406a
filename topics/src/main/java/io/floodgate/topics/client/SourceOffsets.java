package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.floodgate.topics.command.SourceCommand.Beginning;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Timestamps;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Places in the topics of sources, as offsets. */
public final class SourceOffsets {
    private static final int PATIENCE_MS = 5_000;

    private final Admin admin;

    public SourceOffsets(Admin admin) {
        this.admin = admin;
    }

    /**
     * @param start {@code earliest}, {@code latest}, a time: the first record that is not older; or offsets by partition, of which
     *     those that are not there are the nearest
     */
    public CompletableFuture<Long> of(TopicPartition partition, String start) {
        return of(Set.of(partition), start).thenApply(offsets -> offsets.getOrDefault(partition, 0L));
    }

    /** The same for many partitions, in one question. */
    public CompletableFuture<Map<TopicPartition, Long>> of(Set<TopicPartition> partitions, String start) {
        if (start.startsWith("{")) return near(partitions, offsets(start));
        OffsetSpec spec = switch (start) {
            case Beginning.EARLIEST -> OffsetSpec.earliest();
            case Beginning.LATEST -> OffsetSpec.latest();
            default ->
                OffsetSpec.forTimestamp(Timestamps.parse(start)
                        .orElseThrow(() -> new IllegalArgumentException("no time: " + start))
                        .toEpochMilli());
        };
        return ask(partitions, spec).thenCompose(this::withEnds);
    }

    private static Map<Integer, Long> offsets(String start) {
        Map<Integer, Long> offsets = new HashMap<>();
        MemberWalk members = new MemberWalk(start.getBytes(UTF_8));
        while (members.next()) offsets.put(Integer.parseInt(members.name()), Long.parseLong(members.text()));
        return offsets;
    }

    private CompletableFuture<Map<TopicPartition, Long>> near(
            Set<TopicPartition> partitions, Map<Integer, Long> wanted) {
        return ask(partitions, OffsetSpec.earliest())
                .thenCombine(ask(partitions, OffsetSpec.latest()), (first, ends) -> {
                    Map<TopicPartition, Long> offsets = new HashMap<>();
                    first.forEach((partition, least) -> {
                        long offset = wanted.getOrDefault(partition.partition(), least);
                        offsets.put(partition, Math.max(least, Math.min(offset, ends.getOrDefault(partition, least))));
                    });
                    return offsets;
                });
    }

    /** Where no record is as young, those that come are. */
    private CompletableFuture<Map<TopicPartition, Long>> withEnds(Map<TopicPartition, Long> offsets) {
        Set<TopicPartition> without = offsets.keySet().stream()
                .filter(partition -> offsets.getOrDefault(partition, 0L) < 0)
                .collect(toSet());
        if (without.isEmpty()) return CompletableFuture.completedFuture(offsets);
        return ask(without, OffsetSpec.latest()).thenApply(ends -> {
            Map<TopicPartition, Long> all = new HashMap<>(offsets);
            all.putAll(ends);
            return all;
        });
    }

    private CompletableFuture<Map<TopicPartition, Long>> ask(Set<TopicPartition> partitions, OffsetSpec spec) {
        return admin.listOffsets(
                        partitions.stream().collect(toMap(each -> each, each -> spec)),
                        new ListOffsetsOptions().timeoutMs(PATIENCE_MS))
                .all()
                .toCompletionStage()
                .toCompletableFuture()
                .thenApply(found -> found.entrySet().stream()
                        .collect(
                                toMap(Map.Entry::getKey, each -> each.getValue().offset())));
    }
}
