package io.floodgate.processor.sink;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.store.RevisedRows;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SinkCommand;
import io.floodgate.topics.command.SinkCommand.ChangeSink;
import io.floodgate.topics.command.SinkCommand.DeleteSink;
import io.floodgate.topics.command.SinkCommand.ListSinks;
import io.floodgate.topics.command.SinkCommand.PutSink;
import io.floodgate.topics.command.SinkCommand.ReportSink;
import io.floodgate.topics.command.SinkCommand.Row;
import io.floodgate.topics.command.SinkCommand.Sink;
import io.floodgate.topics.command.SinkCommand.Standing;
import io.floodgate.topics.command.SinkCommand.WantOutcomes;
import io.floodgate.topics.command.SinkCommand.Wanted;
import io.floodgate.topics.command.SourceCommand.Beginning;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The registry of sinks: topics to which outcomes of jobs are written. It tells every partition which outcomes are for sinks; gateways have
 * copies of it, and write. No partition ever writes to a topic of others.
 */
public final class Sinks implements Entity {
    private static final StoredForm<Row> STORED = new StoredForm<>(Row.class, 1, "a sink");

    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    private final RevisedRows<Row> rows;
    private final Routing routing;
    private final Effects out;

    public Sinks(PartitionContext context) {
        rows = new RevisedRows<>(context.entities(), "sink", STORED);
        routing = context.routing();
        out = context.out();
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(PutSink.class, this::put);
        handlers.on(ChangeSink.class, this::change);
        handlers.on(DeleteSink.class, this::delete);
        handlers.on(ReportSink.class, this::report);
        handlers.on(ListSinks.class, command -> out.reply(rows.list(command.seen())));
    }

    private void put(PutSink command) {
        Row before = rows.find(command.name());
        if (before == null && rows.size() >= SinkCommand.MOST) {
            out.reject(Rejection.of(
                    ErrorCode.CONFLICT,
                    "There are %d sinks, and there can be no more: delete one.".formatted(rows.size())));
            return;
        }
        long revision = rows.changed(out.now(), before == null ? 1 : 0);
        Sink sink = new Sink(
                command.name(),
                command.target(),
                command.selection(),
                // Partitions mark outcomes from now on, but brokers have clocks of their own.
                before == null
                        ? new Beginning(out.now().minus(CLOCKS_DIFFER).toString(), revision)
                        : before.sink().beginning(),
                command.isPaused(),
                before == null ? out.now() : before.sink().createdAt(),
                before == null ? revision : before.sink().id(),
                revision);
        store(
                new Row(sink, before == null ? Standing.NONE : before.standing()),
                before == null ? "sink.created" : "sink.updated");
        tellPartitions(sink, false);
    }

    private void change(ChangeSink command) {
        Row before = rows.find(command.name());
        if (before == null) {
            out.reject(notFound(command.name()));
            return;
        }
        Sink sink = before.sink();
        String start = command.start();
        Boolean paused = command.paused();
        long revision = rows.changed(out.now(), 0);
        Sink after = new Sink(
                sink.name(),
                sink.target(),
                sink.selection(),
                start == null ? sink.beginning() : new Beginning(start, revision),
                paused == null ? sink.isPaused() : paused,
                sink.createdAt(),
                sink.id(),
                revision);
        store(new Row(after, before.standing()), "sink.updated");
    }

    private void delete(DeleteSink command) {
        Row row = rows.find(command.name());
        if (row == null) {
            out.reject(notFound(command.name()));
            return;
        }
        rows.delete(command.name(), out.now());
        emit("sink.deleted", row.sink());
        out.reply(ReplyLines.write(row));
        tellPartitions(row.sink(), true);
    }

    /**
     * Says which outcomes are wanted. A scan does not see what this step has written.
     *
     * @param changed the sink that was changed, or deleted
     */
    private void tellPartitions(Sink changed, boolean isDeleted) {
        List<Wanted> wanted = new ArrayList<>();
        if (!isDeleted) wanted.add(new Wanted(changed.id(), changed.selection()));
        rows.find(row -> {
            Sink other = row.sink();
            if (!other.name().equals(changed.name())) wanted.add(new Wanted(other.id(), other.selection()));
            return false;
        });
        for (PartitionId partition : routing.logs()) out.tell(partition, SinkCommand.KEY, new WantOutcomes(wanted));
    }

    /** Gateways report when something changes, and what they skip. */
    private void report(ReportSink command) {
        Row row = rows.find(command.name());
        if (row == null || row.sink().id() != command.id()) {
            out.reply(JsonOut.object().endObject());
            return;
        }
        Standing before = row.standing();
        long skipped = before.skipped() + command.skipped();
        String lastSkip = command.lastSkip() == null ? before.lastSkip() : command.lastSkip();
        String error = command.error();
        Standing after;
        if (error != null) {
            Instant since = before.failingSince() == null ? out.now() : before.failingSince();
            after = new Standing(skipped, lastSkip, since, error, command.by(), out.now());
        } else if (mayClear(command, before)) {
            after = new Standing(skipped, lastSkip, null, null, null, null);
        } else {
            after = new Standing(
                    skipped, lastSkip, before.failingSince(), before.error(), before.failedBy(), before.failedAt());
        }
        boolean isNews = (after.failingSince() == null) != (before.failingSince() == null);
        // Who writes after another gateway has failed has to know that there is something to clear.
        if (isNews) rows.changed(out.now(), 0);
        rows.put(command.name(), new Row(row.sink(), after));
        if (isNews) emit(error == null ? "sink.recovered" : "sink.failing", row.sink(), "error", error);
        if (command.skipped() > 0) emit("sink.skipped", row.sink(), "reason", command.lastSkip());
        out.reply(JsonOut.object().endObject());
    }

    /** Gateways write of different partitions: that it goes well in one says nothing of another. */
    private boolean mayClear(ReportSink command, Standing before) {
        Instant failedAt = before.failedAt();
        return failedAt == null
                || command.by().equals(before.failedBy())
                || failedAt.plus(SinkCommand.FAILS_FOR).isBefore(out.now());
    }

    private void store(Row row, String event) {
        rows.put(row.sink().name(), row);
        emit(event, row.sink());
        out.reply(ReplyLines.write(row));
    }

    private void emit(String event, Sink sink) {
        emit(event, sink, "topic", sink.target().topic());
    }

    private void emit(String event, Sink sink, String name, @Nullable String text) {
        out.emit(
                event,
                sink.name(),
                SinkCommand.KEY,
                JsonOut.object()
                        .field("sink", sink.name())
                        .optional(name, text)
                        .field("paused", sink.isPaused())
                        .endObject());
    }

    private static Rejection notFound(String name) {
        return Rejection.notFound("sink", name);
    }

    /** Deletes up to {@code most} sinks for a reset: each partition forgets by itself what they want. */
    @Override
    public boolean clear(int most) {
        return rows.clear(most, out.now());
    }
}
