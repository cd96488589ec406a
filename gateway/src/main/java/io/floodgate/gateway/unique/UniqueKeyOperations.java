package io.floodgate.gateway.unique;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.unique.KeyHolding.Holding;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.KeyCommand.GetKey;
import io.floodgate.topics.command.KeyCommand.ListKeys;
import io.floodgate.topics.command.KeyCommand.ReleaseKey;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.unique.UniqueReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code /ojs/v1/unique-jobs}: which jobs have keys, and how a key is taken from them. The home of a key depends on whether the queue
 * is part of it, which cannot be seen from the key: every partition is asked.
 */
public final class UniqueKeyOperations {
    private static final int PAGE = 20;
    private static final int LARGEST_PAGE = 100;

    /** Depth to which the list can be paged by number; further on by the cursor. */
    private static final int DEEPEST = 2_000;

    /** Keys that are looked through for a page, if the list is filtered. A page that finds little is short, and has a cursor. */
    private static final int MOST_LOOKED_THROUGH = 2_000;

    private final Partitions partitions;
    private final KeyHolding holdings;

    public UniqueKeyOperations(Partitions partitions) {
        this.partitions = partitions;
        holdings = new KeyHolding(partitions);
    }

    /** @param keys from each partition, by key; complete up to {@code end} */
    private record Slice(
            TreeMap<String, List<Holding>> keys, @Nullable String end, long jobs) {}

    public ApiResponse list(Call call) throws CommandFailed, RejectedException {
        Optional<String> key = call.query("key");
        Paging paging = Paging.besideCursor(call, PAGE, LARGEST_PAGE).within(DEEPEST);
        if (key.isPresent()) return page(call, lookUp(call, check(key.get(), "key")), paging);
        String after = Paging.ownCursor(call).orElse(null);
        if (after != null) check(after, "cursor");
        Optional<String> type = call.query("type");
        Optional<String> queue = call.query("queue");
        boolean filtered = type.isPresent() || queue.isPresent();
        int skip = after == null ? paging.offset() : 0;
        List<Holding> found = new ArrayList<>();
        long total = 0;
        for (int seen = 0; seen < MOST_LOOKED_THROUGH; ) {
            Slice slice = slice(call, after);
            total = slice.jobs;
            after = slice.end;
            for (Map.Entry<String, List<Holding>> each : slice.keys.entrySet()) {
                List<Holding> jobs = each.getValue();
                if (filtered)
                    jobs = holdings.complete(call, jobs).stream()
                            .filter(job -> job.is(type, queue))
                            .toList();
                for (Holding job : jobs)
                    if (skip > 0) skip--;
                    else found.add(job);
                seen++;
                if (found.size() < paging.limit()) continue;
                boolean last = each.getKey().equals(slice.keys.lastKey()) && slice.end == null;
                return answer(call, found, filtered, total, last ? null : each.getKey(), paging);
            }
            if (after == null) break;
        }
        return answer(call, found, filtered, total, after, paging);
    }

    private ApiResponse answer(
            Call call, List<Holding> found, boolean complete, long total, @Nullable String next, Paging paging)
            throws CommandFailed, RejectedException {
        List<Holding> shown = complete ? found : holdings.complete(call, found);
        JsonOut out = JsonOut.object(4_096).beginArray("items");
        for (Holding job : shown) job.write(out);
        paging.write(next == null ? paging.offset() + (long) found.size() : total, next, out.endArray());
        return ApiResponse.ok(out.endObject());
    }

    private ApiResponse page(Call call, Found found, Paging paging) throws CommandFailed, RejectedException {
        return answer(call, found.jobs, false, found.jobs.size(), null, paging);
    }

    /** The next keys of all partitions, as far as all of them have answered. */
    private Slice slice(Call call, @Nullable String after) throws CommandFailed, RejectedException {
        TreeMap<String, List<Holding>> keys = new TreeMap<>();
        String end = null;
        long jobs = 0;
        for (List<byte[]> lines : partitions.by(call).askAll("unique", new ListKeys(LARGEST_PAGE, after))) {
            RequestFields last = RequestFields.of(lines.getLast());
            jobs += last.number("jobs").orElse(0L);
            String lastKey = null;
            for (byte[] line : lines.subList(0, lines.size() - 1)) {
                RequestFields key = RequestFields.of(line);
                lastKey = String.valueOf(key.text("key"));
                keys.computeIfAbsent(lastKey, k -> new ArrayList<>()).addAll(Holding.in(key));
            }
            if (last.flag("more") && lastKey != null && (end == null || lastKey.compareTo(end) < 0)) end = lastKey;
        }
        if (end != null) keys.tailMap(end, false).clear();
        return new Slice(keys, end, jobs);
    }

    // ---- one key

    private record Found(List<Holding> jobs, long waiting, boolean claimed) {}

    private Found lookUp(Call call, String key) throws CommandFailed, RejectedException {
        List<Holding> jobs = new ArrayList<>();
        long waiting = 0;
        boolean claimed = false;
        for (List<byte[]> lines : partitions.by(call).askAll("unique", new GetKey(key))) {
            RequestFields line = RequestFields.of(lines.getFirst());
            jobs.addAll(Holding.in(line));
            waiting += line.number("waiting").orElse(0L);
            claimed |= line.flag("claimed");
        }
        return new Found(jobs, waiting, claimed);
    }

    public ApiResponse one(Call call) throws CommandFailed, RejectedException {
        String key = check(call.parameter("key"), "key");
        Found found = lookUp(call, key);
        if (found.jobs.isEmpty() && !found.claimed && found.waiting == 0) throw notFound(key);
        JsonOut out = JsonOut.object(1_024)
                .field("key", key)
                .field("claimed", found.claimed)
                .field("waiting", found.waiting)
                .beginArray("items");
        for (Holding job : holdings.complete(call, found.jobs)) job.write(out);
        return ApiResponse.ok(out.endArray().endObject());
    }

    /** The jobs go on; the next one that asks for the key gets it. */
    public ApiResponse release(Call call) throws CommandFailed, RejectedException {
        String key = check(call.parameter("key"), "key");
        JobId job = job(call);
        JsonOut out = JsonOut.object().field("key", key).beginArray("job_ids");
        int released = 0;
        for (List<byte[]> lines : partitions.by(call).askAll("unique", new ReleaseKey(key, job)))
            for (String id : RequestFields.of(lines.getFirst()).texts("job_ids")) {
                out.value(id);
                released++;
            }
        if (released == 0) throw notFound(key);
        return ApiResponse.ok(out.endArray().field("released", released).endObject());
    }

    private static @Nullable JobId job(Call call) throws RejectedException {
        Optional<String> id = call.query("job_id");
        if (id.isEmpty()) return null;
        return JobId.parse(id.get())
                .orElseThrow(() -> RequestFields.wrong(
                        "job_id", "'%s' cannot be the id of a job.".formatted(Limits.echo(id.get()))));
    }

    private static RejectedException notFound(String key) {
        return new RejectedException(Rejection.notFound("unique key", key));
    }

    private static String check(String key, String field) throws RejectedException {
        if (UniqueReader.isFingerprint(key)) return key;
        throw RequestFields.wrong(
                field,
                "'%s' cannot be the key of a unique job: it has 64 hexadecimal digits in lower case."
                        .formatted(Limits.echo(key)));
    }
}
