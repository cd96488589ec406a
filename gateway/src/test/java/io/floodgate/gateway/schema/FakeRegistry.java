package io.floodgate.gateway.schema;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SchemaCommand.ChangedSchemas;
import io.floodgate.topics.command.SchemaCommand.Changes;
import io.floodgate.topics.command.SchemaCommand.DeleteSchema;
import io.floodgate.topics.command.SchemaCommand.PutSchema;
import io.floodgate.topics.command.SchemaCommand.Registered;
import io.floodgate.topics.command.SchemaCommand.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Partitions as far as schemas need them: a registry, and queues with a mode. */
final class FakeRegistry {
    private final List<Registered> schemas = new ArrayList<>();
    private Revision revision = new Revision(1, 0);

    @Nullable
    String mode;
    /** How many more registrations find that another one came first. */
    int overtaken;

    Reply answer(Command command) {
        return switch (command) {
            case ChangedSchemas changes -> changes(changes.seen());
            case PutSchema put -> put(put);
            case DeleteSchema delete -> {
                schemas.removeIf(schema -> schema.type().equals(delete.type())
                        && (delete.version() == null || delete.version().equals(schema.version())));
                revision = new Revision(revision.epoch() + 1, revision.number());
                yield FakePartitions.done("{\"deleted\":1}");
            }
            case GetQueue queue ->
                FakePartitions.done("{\"name\":\"q\",\"config\":{%s}}"
                        .formatted(mode == null ? "" : "\"schema_validation\":\"%s\"".formatted(mode)));
            default -> FakePartitions.done("{\"state\":\"available\"}");
        };
    }

    private Reply changes(Revision seen) {
        boolean isWhole = seen.epoch() != revision.epoch();
        List<String> lines = new ArrayList<>();
        lines.add(ReplyLines.write(new Changes(revision, isWhole, false)).toString());
        for (Registered schema : schemas)
            if (isWhole || schema.revision() > seen.number())
                lines.add(ReplyLines.write(schema).toString());
        return FakePartitions.done(lines.toArray(String[]::new));
    }

    private Reply put(PutSchema put) {
        if (overtaken-- > 0)
            return new Reply.Rejected(
                    Rejection.of(ErrorCode.CONFLICT, "changed").with("registry", "changed"));
        if (schemas.stream()
                .anyMatch(s -> s.type().equals(put.type()) && s.version().equals(put.version())))
            return new Reply.Rejected(Rejection.of(ErrorCode.CONFLICT, "exists"));
        revision = new Revision(revision.epoch(), revision.number() + 1);
        Registered schema = new Registered(
                put.type(),
                put.version(),
                put.uri(),
                put.compatibility(),
                put.source(),
                put.schema(),
                Instant.parse("2026-02-12T10:30:00Z"),
                revision.number());
        schemas.add(schema);
        return FakePartitions.done(ReplyLines.write(schema).toString());
    }
}
