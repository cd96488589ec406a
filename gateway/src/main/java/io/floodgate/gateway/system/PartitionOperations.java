package io.floodgate.gateway.system;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.PartitionCommand;
import io.floodgate.topics.command.PartitionCommand.Acknowledge;
import io.floodgate.topics.command.PartitionCommand.DiscardQuarantined;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.PartitionCommand.ListQuarantined;
import io.floodgate.topics.command.PartitionCommand.RetryQuarantined;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code /ojs/v1/admin}: how the partitions are, and what operators do about it. */
public record PartitionOperations(Partitions partitions) {
    /** Depth to which the list of quarantined things can be paged. */
    private static final int DEEPEST = 10_000;

    /** Name of all partitions instead of one. */
    private static final String ALL = "all";

    private static final char OF_LOG = '-';

    /** Answers with all partitions, as they describe themselves, or that they do not answer. */
    public ApiResponse inspect(Call call) {
        List<PartitionId> logs = partitions.all();
        List<CompletableFuture<Reply>> replies = partitions.sendAll("inspect", new Inspect());
        JsonOut out = JsonOut.object(4_096).beginArray("logs");
        for (int i = 0; i < logs.size(); i++) {
            out.beginObject().field("partition", logs.get(i).partition());
            try {
                out.field("answers", true)
                        .members(Partitions.await(replies.get(i)).get(0));
            } catch (CommandFailed | RejectedException silent) {
                out.field("silent", String.valueOf(silent.getMessage()))
                        .field("log", logs.get(i).toString());
            }
            out.endObject();
        }
        return ApiResponse.ok(out.endArray().field("total", logs.size()).endObject());
    }

    public ApiResponse acknowledge(Call call) throws CommandFailed, RejectedException {
        String code = call.parameter("code");
        if (code.length() > Limits.NAME_CHARS) throw notFound("alarm", code);
        if (call.parameter("partition").equals(ALL)) return acknowledgeEverywhere(call, code);
        PartitionId log = log(call.parameter("partition"));
        ask(call, log, new Acknowledge(code));
        return ApiResponse.ok(JsonOut.object()
                .field("acknowledged", true)
                .field("log", log.toString())
                .field("code", code)
                .endObject());
    }

    /** One cause, such as a topic that was made again, may have raised it in every partition. */
    private ApiResponse acknowledgeEverywhere(Call call, String code) throws CommandFailed, RejectedException {
        List<String> logs = new ArrayList<>();
        for (PartitionId log : partitions.all()) {
            try {
                ask(call, log, new Acknowledge(code));
                logs.add(log.toString());
            } catch (RejectedException none) {
                if (none.rejection().code() != ErrorCode.NOT_FOUND) throw none;
            }
        }
        if (logs.isEmpty()) throw notFound("alarm", code);
        return ApiResponse.ok(JsonOut.object()
                .field("acknowledged", true)
                .field("logs", logs)
                .field("code", code)
                .endObject());
    }

    /** Lists quarantined things, partition by partition, each partition's oldest first. */
    public ApiResponse quarantine(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.of(call).within(DEEPEST);
        long total = 0;
        int seen = 0;
        int end = paging.offset() + paging.limit();
        JsonOut out = JsonOut.object(4_096).beginArray("items");
        for (PartitionId log : partitions.all()) {
            String after = null;
            do {
                List<byte[]> lines = ask(call, log, new ListQuarantined(ListQuarantined.MAX_LIMIT, after));
                if (after == null)
                    total += MemberWalk.text(lines.get(0), "total")
                            .map(Long::parseLong)
                            .orElse(0L);
                after = MemberWalk.text(lines.get(0), "next").orElse(null);
                for (byte[] line : lines.subList(1, lines.size())) {
                    if (seen >= paging.offset() && seen < end) write(log, line, out);
                    seen++;
                }
            } while (after != null && seen < end);
        }
        out.endArray().field("total", total);
        paging.write(total, out);
        return ApiResponse.ok(out.endObject());
    }

    /** Writes an entry under an id that names the partition too: each partition counts for itself. */
    private static void write(PartitionId log, byte[] line, JsonOut out) {
        out.beginObject()
                .field(
                        "id",
                        Integer.toString(log.partition())
                                + OF_LOG
                                + MemberWalk.text(line, "id").orElse(""))
                .field("log", log.toString());
        MemberWalk members = new MemberWalk(line);
        while (members.next()) if (!members.nameIs("id") && !members.nameIs("log")) members.copyTo(out);
        out.endObject();
    }

    public ApiResponse retry(Call call) throws CommandFailed, RejectedException {
        QuarantineId id = QuarantineId.of(call);
        ask(call, log(id.partition), new RetryQuarantined(id.number));
        return done("retried", id);
    }

    public ApiResponse discard(Call call) throws CommandFailed, RejectedException {
        QuarantineId id = QuarantineId.of(call);
        ask(call, log(id.partition), new DiscardQuarantined(id.number));
        return done("deleted", id);
    }

    private static ApiResponse done(String what, QuarantineId id) {
        return ApiResponse.ok(JsonOut.object()
                .field(what, true)
                .field("id", id.partition + OF_LOG + id.number)
                .endObject());
    }

    private record QuarantineId(String partition, long number) {
        static QuarantineId of(Call call) throws RejectedException {
            String text = call.parameter("id");
            int dash = text.indexOf(OF_LOG);
            try {
                if (dash > 0)
                    return new QuarantineId(text.substring(0, dash), Long.parseLong(text.substring(dash + 1)));
            } catch (NumberFormatException noNumber) {
                // not found, below
            }
            throw notFound("set-aside entry", text);
        }
    }

    private PartitionId log(String partition) throws RejectedException {
        Optional<PartitionId> log = partitions.all().stream()
                .filter(one -> Integer.toString(one.partition()).equals(partition))
                .findFirst();
        return log.orElseThrow(() -> notFound("log", partition));
    }

    private static RejectedException notFound(String kind, String id) {
        return new RejectedException(Rejection.notFound(kind, Limits.echo(id)));
    }

    private List<byte[]> ask(Call call, PartitionId log, PartitionCommand command)
            throws CommandFailed, RejectedException {
        return partitions.by(call).owner(log, "admin").ask(command);
    }
}
