package io.floodgate.processor.source;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.store.RevisedRows;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SourceCommand;
import io.floodgate.topics.command.SourceCommand.Beginning;
import io.floodgate.topics.command.SourceCommand.ChangeSource;
import io.floodgate.topics.command.SourceCommand.DeleteSource;
import io.floodgate.topics.command.SourceCommand.ListSources;
import io.floodgate.topics.command.SourceCommand.PutSource;
import io.floodgate.topics.command.SourceCommand.Source;
import io.floodgate.topics.json.JsonOut;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The registry of sources: topics whose records become jobs. The forwarders of all processors have copies of it; how far a
 * topic has come in, the partition of its queue knows.
 */
public final class Sources implements Entity {
    private static final StoredForm<Source> STORED = new StoredForm<>(Source.class, 1, "a source");

    private final RevisedRows<Source> rows;
    private final Effects out;

    public Sources(PartitionContext context) {
        rows = new RevisedRows<>(context.entities(), "source", STORED);
        out = context.out();
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(PutSource.class, this::put);
        handlers.on(ChangeSource.class, this::change);
        handlers.on(DeleteSource.class, this::delete);
        handlers.on(ListSources.class, command -> out.reply(rows.list(command.seen())));
    }

    private void put(PutSource command) {
        Source before = rows.find(command.name());
        Optional<Rejection> rejection = reject(command, before);
        if (rejection.isPresent()) {
            out.reject(rejection.get());
            return;
        }
        long revision = rows.changed(out.now(), before == null ? 1 : 0);
        store(
                new Source(
                        command.name(),
                        command.topic(),
                        command.queue(),
                        command.mapping(),
                        before == null ? new Beginning(command.start(), revision) : before.beginning(),
                        command.isPaused(),
                        before == null ? out.now() : before.createdAt(),
                        revision),
                before == null ? "source.created" : "source.updated");
    }

    private Optional<Rejection> reject(PutSource command, @Nullable Source before) {
        if (before == null && rows.size() >= SourceCommand.MOST)
            return conflict("There are %d sources, and there can be no more: delete one.".formatted(rows.size()));
        if (before != null && !before.topic().equals(command.topic()))
            return conflict("Source '%s' reads the topic '%s'; a source of another topic needs another name."
                    .formatted(before.name(), before.topic()));
        if (before != null && !before.queue().equals(command.queue()))
            return conflict("The jobs of source '%s' are in the queue '%s'; delete it, and make it again."
                    .formatted(before.name(), before.queue()));
        Source other = rows.find(source ->
                source.topic().equals(command.topic()) && !source.name().equals(command.name()));
        return other == null
                ? Optional.empty()
                : conflict("The topic '%s' is read by the source '%s' already.".formatted(other.topic(), other.name()));
    }

    private static Optional<Rejection> conflict(String message) {
        return Optional.of(Rejection.of(ErrorCode.CONFLICT, message));
    }

    private void change(ChangeSource command) {
        Source before = rows.find(command.name());
        if (before == null) {
            out.reject(notFound(command.name()));
            return;
        }
        String start = command.start();
        Boolean paused = command.paused();
        long revision = rows.changed(out.now(), 0);
        store(
                new Source(
                        before.name(),
                        before.topic(),
                        before.queue(),
                        before.mapping(),
                        start == null ? before.beginning() : new Beginning(start, revision),
                        paused == null ? before.isPaused() : paused,
                        before.createdAt(),
                        revision),
                "source.updated");
    }

    private void delete(DeleteSource command) {
        Source source = rows.find(command.name());
        if (source == null) {
            out.reject(notFound(command.name()));
            return;
        }
        rows.delete(command.name(), out.now());
        emit("source.deleted", source);
        out.reply(ReplyLines.write(source));
    }

    private void store(Source source, String event) {
        rows.put(source.name(), source);
        emit(event, source);
        out.reply(ReplyLines.write(source));
    }

    private void emit(String event, Source source) {
        out.emit(
                event,
                source.name(),
                SourceCommand.KEY,
                JsonOut.object()
                        .field("source", source.name())
                        .field("topic", source.topic())
                        .field("queue", source.queue())
                        .field("paused", source.isPaused())
                        .field("start", source.beginning().at())
                        .endObject());
    }

    private static Rejection notFound(String name) {
        return Rejection.notFound("source", name);
    }

    /** Deletes up to {@code most} sources for a reset. */
    @Override
    public boolean clear(int most) {
        return rows.clear(most, out.now());
    }
}
