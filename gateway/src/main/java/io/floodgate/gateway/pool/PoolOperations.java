package io.floodgate.gateway.pool;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.PoolCommand;
import io.floodgate.topics.command.PoolCommand.DeletePool;
import io.floodgate.topics.command.PoolCommand.GetPool;
import io.floodgate.topics.command.PoolCommand.ListPools;
import io.floodgate.topics.command.PoolCommand.PutPool;
import io.floodgate.topics.command.PoolCommandTypes;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.queue.WorkerPool;
import io.helidon.http.Status;
import java.util.List;
import java.util.TreeMap;

/** {@code /ojs/v1/admin/pools} (OJS fair scheduling §10.1). */
public record PoolOperations(Partitions partitions) {
    public ApiResponse put(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        WorkerPool pool = call.read(sent -> PoolBody.read(name, RequestFields.of(sent)));
        byte[] line = ask(call, new PutPool(pool));
        boolean isNew = MemberWalk.text(line, "created").orElse("").equals("true");
        return shown(isNew ? Status.CREATED_201 : Status.OK_200, PoolCommandTypes.read(line));
    }

    public ApiResponse get(Call call) throws CommandFailed, RejectedException {
        return shown(Status.OK_200, PoolCommandTypes.read(ask(call, new GetPool(name(call)))));
    }

    public ApiResponse delete(Call call) throws CommandFailed, RejectedException {
        ask(call, new DeletePool(name(call)));
        return new ApiResponse.Empty(Status.NO_CONTENT_204, headers -> {});
    }

    public ApiResponse list(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.of(call);
        TreeMap<String, WorkerPool> pools = new TreeMap<>();
        for (List<byte[]> lines : partitions.by(call).askAll("pools", new ListPools(ListPools.MAX_LIMIT, null)))
            for (byte[] line : lines) {
                WorkerPool pool = PoolCommandTypes.read(line);
                pools.put(pool.name(), pool);
            }
        JsonOut items = new JsonOut(4_096).beginArray();
        pools.values().stream().skip(paging.offset()).limit(paging.limit()).forEach(pool -> write(pool, items));
        byte[] all = items.endArray().toBytes();
        JsonOut out =
                JsonOut.object(2 * all.length + 128).fieldRaw("pools", all).fieldRaw("items", all);
        paging.write(pools.size(), out);
        return ApiResponse.ok(out.endObject());
    }

    private static void write(WorkerPool pool, JsonOut out) {
        out.beginObject();
        PoolCommandTypes.write(pool, out);
        out.endObject();
    }

    private static ApiResponse shown(Status status, WorkerPool pool) {
        JsonOut out = JsonOut.object().name("pool");
        write(pool, out);
        return ApiResponse.json(status, out.endObject());
    }

    private byte[] ask(Call call, PoolCommand command) throws CommandFailed, RejectedException {
        return partitions.by(call).ofPool(command.pool()).askLine(command);
    }

    private static String name(Call call) throws RejectedException {
        String name = call.parameter("name");
        if (!name.isEmpty() && name.length() <= Limits.NAME_CHARS) return name;
        throw new RejectedException(Rejection.notFound("pool", Limits.echo(name)));
    }
}
