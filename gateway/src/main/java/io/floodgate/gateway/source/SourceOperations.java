package io.floodgate.gateway.source;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SourceCommand.ChangeSource;
import io.floodgate.topics.command.SourceCommand.DeleteSource;
import io.floodgate.topics.command.SourceCommand.PutSource;
import io.floodgate.topics.command.SourceCommand.Source;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.Status;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.KafkaException;

/** {@code /ojs/v1/admin/sources}: topics whose records become jobs. */
public final class SourceOperations {
    private final Partitions partitions;
    private final SourceTopics topics;
    private final SourceWatch watch;

    public SourceOperations(Partitions partitions, SourceTopics topics, SourceWatch watch) {
        this.partitions = partitions;
        this.topics = topics;
        this.watch = watch;
    }

    private Partitions.Owner registry(Call call) {
        return partitions.by(call).ofSources();
    }

    ApiResponse put(Call call) throws CommandFailed, RejectedException, UnreadableJob {
        PutSource command = SourceBody.read(call.json(), call.parameter("name"), topics);
        Source stored = source(registry(call).askLine(command));
        boolean isNew = stored.beginning().epoch() == stored.revision();
        return ApiResponse.json(
                isNew ? Status.CREATED_201 : Status.OK_200,
                SourceStanding.members(stored, JsonOut.object(1_024)).endObject());
    }

    private static Source source(byte[] line) {
        return ReplyLines.read(Source.class, line);
    }

    private List<Source> all(Call call) throws CommandFailed, RejectedException {
        return SourceWatch.all(partitions.from(call));
    }

    /** Returns the name in the path, if a source can have it. */
    private static String name(Call call) throws RejectedException {
        String name = call.parameter("name");
        if (!SourceBody.isName(name)) throw notFound(name);
        return name;
    }

    private static RejectedException notFound(String name) {
        return new RejectedException(Rejection.notFound("source", Limits.echo(name)));
    }

    private Source find(Call call) throws CommandFailed, RejectedException {
        String name = call.parameter("name");
        return all(call).stream()
                .filter(source -> source.name().equals(name))
                .findFirst()
                .orElseThrow(() -> notFound(name));
    }

    ApiResponse list(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.of(call);
        List<Source> all = all(call);
        List<Source> page =
                all.stream().skip(paging.offset()).limit(paging.limit()).toList();
        JsonOut items = new JsonOut(4_096).beginArray();
        for (SourceStanding standing : watch.look(page))
            standing.write(items.beginObject(), false).endObject();
        return ApiResponse.ok(paging.page("sources", items.endArray(), all.size()));
    }

    ApiResponse get(Call call) throws CommandFailed, RejectedException {
        return ApiResponse.ok(show(call).write(JsonOut.object(4_096), true).endObject());
    }

    /** Returns how the source in the path stands now. */
    public SourceStanding show(Call call) throws CommandFailed, RejectedException {
        return watch.look(List.of(find(call))).getFirst();
    }

    ApiResponse change(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json().only(Set.of("paused"));
        if (!body.has("paused")) throw body.fault("paused", "The '%s' field is required: true or false.");
        return changed(call, new ChangeSource(name(call), body.flag("paused"), null));
    }

    private ApiResponse changed(Call call, ChangeSource change) throws CommandFailed, RejectedException {
        return ApiResponse.ok(SourceStanding.members(source(registry(call).askLine(change)), JsonOut.object(1_024))
                .endObject());
    }

    /** Reads a topic again from a place; or says, for {@code dry_run}, how many records that would be. */
    ApiResponse rewind(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json().only(Set.of("to", "dry_run"));
        String start = SourceBody.place(body);
        if (!body.flag("dry_run")) return changed(call, new ChangeSource(name(call), null, start));
        return dryRun(topics, find(call).topic(), start, "records");
    }

    /** @param what the topic consists of */
    static ApiResponse dryRun(SourceTopics topics, String topic, String start, String what) throws RejectedException {
        Map<Integer, Long> records = records(topics, topic, start);
        JsonOut out = SourceStanding.start("to", start, JsonOut.object(1_024).field("dry_run", true))
                .field(
                        what,
                        records.values().stream().mapToLong(Long::longValue).sum())
                .beginArray("partitions");
        records.forEach((partition, count) -> out.beginObject()
                .field("partition", partition)
                .field(what, count)
                .endObject());
        return ApiResponse.ok(out.endArray().endObject());
    }

    private static Map<Integer, Long> records(SourceTopics topics, String topic, String start)
            throws RejectedException {
        try {
            return topics.from(topic, start);
        } catch (KafkaException | CompletionException failure) {
            throw new RejectedException(Rejection.of(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "Kafka does not say how many records that are: " + Limits.echo(failure.toString())));
        }
    }

    ApiResponse delete(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        registry(call).ask(new DeleteSource(name));
        return ApiResponse.ok(
                JsonOut.object().field("deleted", true).field("name", name).endObject());
    }
}
