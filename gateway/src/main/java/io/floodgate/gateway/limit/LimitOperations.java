package io.floodgate.gateway.limit;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.limit.LimitFigures.Counted;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.LimitCommand;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.RateLimit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** {@code /ojs/v1/rate-limits} (OJS rate limiting §10). */
public final class LimitOperations {
    public static final int MAX_BODY = LimitBody.MAX_BYTES;

    /** Depth to which the list can be paged: each page reads what comes before it again. */
    private static final int DEEPEST = 10_000;

    private final Partitions partitions;
    private final LimitFigures figures;

    public LimitOperations(Partitions partitions) {
        this.partitions = partitions;
        figures = new LimitFigures(partitions);
    }

    public ApiResponse list(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.of(call).within(DEEPEST);
        LimitFigures.Page page = figures.list(paging.offset(), paging.limit());
        List<String> keys = List.copyOf(page.lines().keySet());
        Map<String, Counted> counted = keys.isEmpty() ? Map.of() : figures.count(keys);
        JsonOut items = new JsonOut(4_096).beginArray();
        page.lines().forEach((key, line) -> LimitView.write(line, counted.getOrDefault(key, Counted.NOTHING), items));
        byte[] all = items.endArray().toBytes();
        JsonOut out = JsonOut.object(2 * all.length + 256);
        out.fieldRaw("items", all).fieldRaw("rate_limits", all).field("total", page.total());
        paging.write(page.total(), out);
        return ApiResponse.ok(out.endObject());
    }

    public ApiResponse one(Call call) throws CommandFailed, RejectedException {
        return ApiResponse.ok(new JsonOut().raw(figures(key(call))));
    }

    /** Returns what is in force, how much of it is used, and what waits, as one object. */
    public byte[] figures(String key) throws CommandFailed, RejectedException {
        Reply reply = partitions.ofLimit(key).call(new GetLimit(key));
        Counted counted = figures.count(List.of(key)).getOrDefault(key, Counted.NOTHING);
        // Its partition may not know it yet: what the jobs say is in force.
        boolean known = reply instanceof Reply.Done;
        if (!known && counted.limits() == null) throw new RejectedException(Rejection.notFound("rate limit", key));
        return line(known ? Partitions.lines(reply).get(0) : LimitFigures.onlyCounted(key, counted), counted);
    }

    public ApiResponse override(Call call) throws CommandFailed, RejectedException {
        String key = key(call);
        return decided(call, key, LimitBody.read(key, call));
    }

    public ApiResponse endOverride(Call call) throws CommandFailed, RejectedException {
        String key = key(call);
        return decided(call, key, new EndOverride(key));
    }

    private ApiResponse decided(Call call, String key, LimitCommand command) throws CommandFailed, RejectedException {
        byte[] line = partitions.by(call).ofLimit(key).askLine(command);
        byte[] shown = line(line, figures.count(List.of(key)).getOrDefault(key, Counted.NOTHING));
        return ApiResponse.ok(new JsonOut().raw(shown));
    }

    private static byte[] line(byte[] line, Counted counted) {
        JsonOut out = new JsonOut(1_024);
        LimitView.write(line, counted, out);
        return out.toBytes();
    }

    public static String key(Call call) throws RejectedException {
        String key = call.parameter("key");
        if (RateLimit.isName(key)) return key;
        throw RequestFields.wrong(
                "key",
                "'%s' cannot be the key of a rate limit: letters, digits and . _ : -, at most %d, beginning with a letter or digit."
                        .formatted(Limits.echo(key), RateLimit.NAME_CHARS));
    }

    /** The number of a key's jobs that run, and that it holds back. */
    public record Gauge(String key, long active, long waiting) {}

    /**
     * Returns the keys that hold back most jobs, and then those of which most run; none where partitions do not answer.
     */
    public Collection<Gauge> gauges(int most) {
        List<Gauge> gauges = new ArrayList<>();
        try {
            List<String> keys = figures.busiest(most);
            if (!keys.isEmpty())
                figures.count(keys)
                        .forEach((key, counted) -> gauges.add(new Gauge(key, counted.active(), counted.waiting())));
        } catch (CommandFailed | RejectedException silent) {
            return List.of();
        }
        return gauges;
    }
}
