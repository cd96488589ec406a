package io.floodgate.gateway.source;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SinkCommand.ChangeSink;
import io.floodgate.topics.command.SinkCommand.DeleteSink;
import io.floodgate.topics.command.SinkCommand.ListSinks;
import io.floodgate.topics.command.SinkCommand.Row;
import io.floodgate.topics.command.SinkCommand.Sink;
import io.floodgate.topics.command.SinkCommand.Standing;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.Status;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /ojs/v1/admin/sinks}: topics to which outcomes of jobs are written. */
final class SinkOperations {
    private static final Logger LOG = LoggerFactory.getLogger(SinkOperations.class);

    private final Partitions partitions;
    private final SourceTopics topics;

    SinkOperations(Partitions partitions, SourceTopics topics) {
        this.partitions = partitions;
        this.topics = topics;
    }

    private static Row row(byte[] line) {
        return ReplyLines.read(Row.class, line);
    }

    static List<Row> all(Partitions partitions) throws CommandFailed, RejectedException {
        return partitions.ofSinks().ask(new ListSinks(0)).stream()
                .skip(1)
                .map(SinkOperations::row)
                .toList();
    }

    ApiResponse put(Call call) throws CommandFailed, RejectedException {
        var command = SinkBody.read(call.json(), call.parameter("name"), topics);
        Sink stored = row(partitions.by(call).ofSinks().askLine(command)).sink();
        return ApiResponse.json(
                stored.id() == stored.revision() ? Status.CREATED_201 : Status.OK_200,
                members(stored, JsonOut.object(1_024)).endObject());
    }

    private static RejectedException notFound(String name) {
        return new RejectedException(Rejection.notFound("sink", Limits.echo(name)));
    }

    /** Returns the name in the path, if a sink can have it. */
    private static String name(Call call) throws RejectedException {
        String name = call.parameter("name");
        if (!SourceBody.isName(name)) throw notFound(name);
        return name;
    }

    private Row find(Call call) throws CommandFailed, RejectedException {
        String name = call.parameter("name");
        return all(partitions.from(call)).stream()
                .filter(row -> row.sink().name().equals(name))
                .findFirst()
                .orElseThrow(() -> notFound(name));
    }

    ApiResponse list(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.of(call);
        List<Row> all = all(partitions.from(call));
        List<Row> page =
                all.stream().skip(paging.offset()).limit(paging.limit()).toList();
        Map<String, List<SourceTopics.Row>> positions = positions(page);
        JsonOut items = new JsonOut(4_096).beginArray();
        for (Row row : page)
            standing(row, positions, false, members(row.sink(), items.beginObject()))
                    .endObject();
        return ApiResponse.ok(paging.page("sinks", items.endArray(), all.size()));
    }

    ApiResponse get(Call call) throws CommandFailed, RejectedException {
        Row row = find(call);
        return ApiResponse.ok(standing(row, positions(List.of(row)), true, members(row.sink(), JsonOut.object(4_096)))
                .endObject());
    }

    /** Returns null while Kafka does not say. */
    private @Nullable Map<String, List<SourceTopics.Row>> positions(List<Row> rows) {
        try {
            return topics.ofSinks(rows.stream().map(row -> row.sink().name()).toList());
        } catch (KafkaException | CompletionException failure) {
            LOG.warn("The positions of sinks are not known: {}", failure.toString());
            return null;
        }
    }

    private static JsonOut members(Sink sink, JsonOut out) {
        out.field("name", sink.name()).field("topic", sink.target().topic());
        if (!sink.target().topics().isEmpty()) out.field("topics", sink.target().topics());
        out.field("queues", sink.selection().queues())
                .field("job_types", sink.selection().jobTypes())
                .field("outcomes", sink.selection().outcomes())
                .field("value", sink.target().value().wire())
                .fieldRaw("record", sink.target().record());
        return SourceStanding.start("start", sink.beginning().at(), out)
                .field("paused", sink.isPaused())
                .field("created_at", sink.createdAt());
    }

    private static JsonOut standing(
            Row row, @Nullable Map<String, List<SourceTopics.Row>> known, boolean withPartitions, JsonOut out) {
        List<SourceTopics.Row> positions =
                known == null ? List.of() : known.getOrDefault(row.sink().name(), List.of());
        Standing standing = row.standing();
        out.field("state", state(row, positions));
        if (!positions.isEmpty()) SourceStanding.lag(positions, out);
        out.field("skipped", standing.skipped())
                .optional("last_skip", standing.lastSkip())
                .optional("failing_since", standing.failingSince())
                .optional("error", standing.error());
        return withPartitions && !positions.isEmpty() ? SourceStanding.partitions(positions, out) : out;
    }

    private static String state(Row row, List<SourceTopics.Row> positions) {
        if (row.sink().isPaused()) return "paused";
        if (row.standing().failingSince() != null) return "failing";
        if (positions.isEmpty()) return "unknown";
        return positions.stream().allMatch(each -> each.position() >= 0) ? "writing" : "opening";
    }

    ApiResponse change(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json().only(Set.of("paused"));
        if (!body.has("paused")) throw body.fault("paused", "The '%s' field is required: true or false.");
        return changed(call, new ChangeSink(name(call), body.flag("paused"), null));
    }

    private ApiResponse changed(Call call, ChangeSink change) throws CommandFailed, RejectedException {
        Row row = row(partitions.by(call).ofSinks().askLine(change));
        return ApiResponse.ok(members(row.sink(), JsonOut.object(1_024)).endObject());
    }

    /** Writes outcomes again from a time on; or says, for {@code dry_run}, among how many events they are. */
    ApiResponse rewind(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json().only(Set.of("to", "dry_run"));
        String start = SourceBody.place(body);
        if (!body.flag("dry_run")) return changed(call, new ChangeSink(name(call), null, start));
        find(call);
        return SourceOperations.dryRun(topics, topics.events(), start, "events");
    }

    ApiResponse delete(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        partitions.by(call).ofSinks().ask(new DeleteSink(name));
        return ApiResponse.ok(
                JsonOut.object().field("deleted", true).field("name", name).endObject());
    }
}
