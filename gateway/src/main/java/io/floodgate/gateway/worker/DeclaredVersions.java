package io.floodgate.gateway.worker;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.version.VersionRange;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The versions that workers have declared with their heartbeats, for fetches that do not say them. The partition of a worker
 * keeps what it has declared; here is what was heard of that lately. A worker may fetch through one gateway and send its heartbeats
 * through another.
 */
final class DeclaredVersions {
    /** Time within which versions that a worker declares through another gateway count here. */
    static final Duration KNOWN_FOR = Duration.ofSeconds(30);

    /** Most bytes of all of them; those of workers that fetched longest ago go first, and are asked for again. */
    private static final long MAX_BYTES = 16L * 1024 * 1024;

    private static final long BYTES_OF_A_WORKER = 200;
    private static final long BYTES_OF_A_RANGE = 150;

    private final Partitions partitions;
    private final Map<Worker, Known> known = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    /** @param key by which it is distinguished from workers of others with the same id; null for none */
    private record Worker(@Nullable String key, String id) {
        static Worker of(Call call, String id) {
            return new Worker(key(call.caller().identity()), id);
        }

        private static @Nullable String key(@Nullable Identity by) {
            return by == null ? null : by.name();
        }
    }

    private record Known(Map<String, VersionRange> versions, long at) {
        long bytes() {
            long bytes = BYTES_OF_A_WORKER;
            for (Map.Entry<String, VersionRange> each : versions.entrySet())
                bytes += each.getKey().length()
                        + BYTES_OF_A_RANGE * (1L + each.getValue().intervals().size());
            return bytes;
        }
    }

    DeclaredVersions(Partitions partitions) {
        this.partitions = partitions;
    }

    /** The worker has declared these through this gateway. */
    void declared(Call call, String worker, Map<String, VersionRange> versions) {
        put(Worker.of(call, worker), versions, System.nanoTime());
    }

    private synchronized void put(Worker worker, Map<String, VersionRange> versions, long now) {
        Known added = new Known(versions, now);
        Known before = known.put(worker, added);
        bytes += added.bytes() - (before == null ? 0 : before.bytes());
        Iterator<Known> eldest = known.values().iterator();
        while (bytes > MAX_BYTES && eldest.hasNext()) {
            bytes -= eldest.next().bytes();
            eldest.remove();
        }
    }

    private synchronized @Nullable Known find(Worker worker) {
        return known.get(worker);
    }

    /** Fails only if nothing at all is known of the worker, and its partition does not answer. */
    Map<String, VersionRange> of(Call call, String id) throws CommandFailed, RejectedException {
        Worker worker = Worker.of(call, id);
        Known before = find(worker);
        long now = System.nanoTime();
        if (before == null) return ask(call, worker);
        // While its partition is out of reach, what is known counts, and fetches do not wait for it.
        boolean isNew = now - before.at < KNOWN_FOR.toNanos();
        if (isNew || partitions.client().isSilent(partitions.ofWorker(id).partition())) return before.versions;
        try {
            return ask(call, worker);
        } catch (CommandFailed | RejectedException failure) {
            put(worker, before.versions, now);
            return before.versions;
        }
    }

    private Map<String, VersionRange> ask(Call call, Worker worker) throws CommandFailed, RejectedException {
        String id = worker.id;
        Reply reply = partitions.from(call).ofWorker(id).call(new GetWorker(id));
        Map<String, VersionRange> versions = Map.of();
        switch (reply) {
            case Reply.Done done -> versions = versions(done.lines(), worker);
            case Reply.Rejected rejected -> {
                if (rejected.rejection().code() != ErrorCode.NOT_FOUND)
                    throw new RejectedException(rejected.rejection());
            }
        }
        put(worker, versions, System.nanoTime());
        return versions;
    }

    private static Map<String, VersionRange> versions(List<byte[]> lines, Worker worker) throws RejectedException {
        if (lines.isEmpty()) return Map.of();
        RequestFields entry = RequestFields.of(lines.getFirst());
        if (!entry.has("about") || !Objects.equals(entry.text("key"), worker.key)) return Map.of();
        Map<String, VersionRange> versions = VersionFields.declared(entry.object("about"));
        return versions == null ? Map.of() : versions;
    }
}
