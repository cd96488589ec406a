package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.AdminCommand.ListWorkers;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.MemberWalk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The workers of all partitions. Their registry is spread over the partitions, each of which gives them in slices. */
record WorkerPages(Partitions partitions) {
    /** The most workers in a list: it says if there are more. */
    static final int MOST = 10_000;

    private static final long SMALL_BYTES = 4 * 1024 * 1024;

    /** @param complete whether these are all there are */
    record Workers(List<WorkerEntry> all, boolean complete) {
        /** Returns whether it may be kept in memory for the callers that come next. */
        boolean isSmall() {
            return all.stream().mapToLong(worker -> worker.json().length).sum() <= SMALL_BYTES;
        }
    }

    /** Returns all workers by name. */
    Workers all(Call call) throws CommandFailed, RejectedException {
        List<WorkerEntry> found = new ArrayList<>();
        Map<PartitionId, Optional<String>> open = new LinkedHashMap<>();
        for (PartitionId log : partitions.all()) open.put(log, Optional.empty());
        while (!open.isEmpty() && found.size() < MOST) {
            Map<PartitionId, CompletableFuture<Reply>> replies = new LinkedHashMap<>();
            open.forEach((log, after) -> replies.put(log, slice(call, log, after)));
            open.clear();
            for (var reply : replies.entrySet()) {
                List<byte[]> lines = Partitions.await(reply.getValue());
                call.makeRoom(lines);
                lines.stream().skip(1).map(WorkerEntry::new).forEach(found::add);
                Optional<String> next = MemberWalk.text(lines.getFirst(), "next");
                if (next.isPresent()) open.put(reply.getKey(), next);
            }
        }
        found.sort(Comparator.comparing(WorkerEntry::id));
        return new Workers(found, open.isEmpty());
    }

    /** Returns how many workers send heartbeats, as each partition counts them. */
    long present() throws CommandFailed, RejectedException {
        long present = 0;
        for (List<byte[]> lines : partitions.askAll("workers", new ListWorkers(1, null)))
            present += MemberWalk.text(lines.getFirst(), "present")
                    .map(Long::parseLong)
                    .orElse(0L);
        return present;
    }

    private CompletableFuture<Reply> slice(Call call, PartitionId log, Optional<String> after) {
        return partitions
                .by(call)
                .owner(log, "workers")
                .send(new ListWorkers(ListWorkers.MAX_LIMIT, after.orElse(null)));
    }
}
