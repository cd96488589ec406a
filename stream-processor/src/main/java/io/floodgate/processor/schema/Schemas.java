package io.floodgate.processor.schema;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SchemaCommand;
import io.floodgate.topics.command.SchemaCommand.ChangedSchemas;
import io.floodgate.topics.command.SchemaCommand.Changes;
import io.floodgate.topics.command.SchemaCommand.DeleteSchema;
import io.floodgate.topics.command.SchemaCommand.PutSchema;
import io.floodgate.topics.command.SchemaCommand.Registered;
import io.floodgate.topics.command.SchemaCommand.Revision;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.schema.SchemaVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The registry of schemas: it stores them, keeps versions and URIs unique, and says what has changed since a revision.
 * Gateways read and compare schemas, and check jobs by copies; so the registry never looks into a schema.
 */
public final class Schemas implements Entity {
    /** A reply has no more bytes of schemas, but for the last one. */
    private static final int BYTES_OF_A_REPLY = 512 * 1024;

    private static final String TYPE_END = "@";

    /** By revision, in its order. */
    private static final Section SCHEMAS = Section.of("schema");
    /** Revisions by type and version. */
    private static final Section VERSIONS = Section.of("schema-version");
    /** Revisions by URI. */
    private static final Section URIS = Section.of("schema-uri");

    private static final byte[] REGISTRY = Section.of("schema-registry").key("");

    private static final StoredForm<Registered> STORED = new StoredForm<>(Registered.class, 1, "a schema");

    private record Registry(Revision revision, int schemas, long bytes) {
        static final StoredForm<Registry> STORED = new StoredForm<>(Registry.class, 1, "the registry of schemas");
        static final Registry EMPTY = new Registry(Revision.NONE, 0, 0);
    }

    private final KeyValues stored;
    private final Effects out;

    public Schemas(PartitionContext context) {
        stored = context.entities();
        out = context.out();
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(PutSchema.class, this::put);
        handlers.on(DeleteSchema.class, this::delete);
        handlers.on(ChangedSchemas.class, this::changes);
    }

    private void put(PutSchema command) {
        Registry registry = registry();
        SchemaVersion version = SchemaVersion.parse(command.version()).orElse(null);
        if (version == null) {
            out.reject(Rejection.of(
                    ErrorCode.INVALID_REQUEST, "'%s' is no version.".formatted(Limits.echo(command.version()))));
            return;
        }
        byte[] versionKey = VERSIONS.key(command.type() + TYPE_END + version.canonical());
        Rejection rejection = reject(command, registry, stored.get(versionKey) != null);
        if (rejection != null) {
            out.reject(rejection);
            return;
        }
        long epoch =
                registry.schemas == 0 ? Math.max(registry.revision.epoch() + 1, millis()) : registry.revision.epoch();
        Revision revision = new Revision(epoch, registry.revision.number() + 1);
        Registered schema = new Registered(
                command.type(),
                command.version(),
                command.uri(),
                command.compatibility(),
                command.source(),
                command.schema(),
                out.now(),
                revision.number());
        byte[] number = key(revision.number());
        stored.put(SCHEMAS.key(name(revision.number())), STORED.write(schema));
        stored.put(versionKey, number);
        stored.put(URIS.key(command.uri()), number);
        store(new Registry(revision, registry.schemas + 1, registry.bytes + command.schema().length));
        emit("schema.registered", schema);
        out.reply(ReplyLines.write(schema));
    }

    private long millis() {
        return out.now().toEpochMilli();
    }

    private @Nullable Rejection reject(PutSchema command, Registry registry, boolean isThere) {
        if (isThere)
            return conflict("Version %s of the schema of '%s' exists: a schema never changes, register another version."
                    .formatted(command.version(), command.type()));
        if (stored.get(URIS.key(command.uri())) != null)
            return conflict("The URI '%s' names another schema.".formatted(Limits.echo(command.uri())));
        if (!command.seen().equals(registry.revision))
            return conflict("The registry has changed meanwhile.").with("registry", "changed");
        if (registry.schemas >= SchemaCommand.MOST
                || registry.bytes + command.schema().length > SchemaCommand.MOST_BYTES)
            return conflict("The registry is full with %d schemas of %d bytes; it takes %d schemas and %d bytes."
                    .formatted(registry.schemas, registry.bytes, SchemaCommand.MOST, SchemaCommand.MOST_BYTES));
        return null;
    }

    private static Rejection conflict(String message) {
        return Rejection.of(ErrorCode.CONFLICT, message);
    }

    private void delete(DeleteSchema command) {
        String text = command.version();
        SchemaVersion version = text == null ? null : SchemaVersion.parse(text).orElse(null);
        List<Registered> gone = new ArrayList<>();
        if (text == null || version != null) {
            String from = command.type() + TYPE_END;
            VERSIONS.scan(stored, from, (name, number) -> {
                if (!name.startsWith(from)) return false;
                if (version == null || name.equals(from + version.canonical())) gone.add(schema(number));
                return true;
            });
        }
        if (gone.isEmpty()) {
            String name = text == null ? command.type() : command.type() + TYPE_END + text;
            out.reject(Rejection.notFound("schema", Limits.echo(name)));
            return;
        }
        gone.forEach(this::remove);
        Registry registry = registry();
        Revision revision = new Revision(Math.max(registry.revision.epoch() + 1, millis()), registry.revision.number());
        store(new Registry(revision, registry.schemas, registry.bytes));
        gone.forEach(schema -> emit("schema.deleted", schema));
        out.reply(JsonOut.object().field("deleted", gone.size()).endObject());
    }

    private void remove(Registered schema) {
        stored.delete(SCHEMAS.key(name(schema.revision())));
        stored.delete(VERSIONS.key(schema.type()
                + TYPE_END
                + SchemaVersion.parse(schema.version()).orElseThrow().canonical()));
        stored.delete(URIS.key(schema.uri()));
        Registry registry = registry();
        store(new Registry(registry.revision, registry.schemas - 1, registry.bytes - schema.schema().length));
    }

    private void emit(String event, Registered schema) {
        out.emit(
                event,
                schema.type(),
                SchemaCommand.KEY,
                JsonOut.object()
                        .field("type", schema.type())
                        .field("version", schema.version())
                        .field("uri", schema.uri())
                        .endObject());
    }

    private void changes(ChangedSchemas command) {
        Revision now = registry().revision;
        boolean isWhole = command.seen().epoch() != now.epoch();
        long after = isWhole ? 0 : command.seen().number();
        JsonOut lines = new JsonOut(1_024);
        long[] last = {now.number()};
        boolean[] more = {false};
        if (after < now.number())
            SCHEMAS.scan(stored, name(after + 1), (name, value) -> {
                if (lines.length() > BYTES_OF_A_REPLY) {
                    more[0] = true;
                    return false;
                }
                Registered schema = STORED.read(value);
                lines.append(ReplyLines.write(schema)).newLine();
                last[0] = schema.revision();
                return true;
            });
        Revision upTo = new Revision(now.epoch(), more[0] ? last[0] : now.number());
        out.reply(new JsonOut(lines.length() + 128)
                .append(ReplyLines.write(new Changes(upTo, isWhole, more[0])))
                .newLine()
                .append(lines));
    }

    private Registry registry() {
        byte[] value = stored.get(REGISTRY);
        return value == null ? Registry.EMPTY : Registry.STORED.read(value);
    }

    private void store(Registry registry) {
        stored.put(REGISTRY, Registry.STORED.write(registry));
    }

    private Registered schema(byte[] number) {
        byte[] value = stored.get(SCHEMAS.key(new String(number, StandardCharsets.US_ASCII)));
        if (value == null) throw new IllegalStateException("a version without its schema");
        return STORED.read(value);
    }

    private static byte[] key(long revision) {
        return name(revision).getBytes(StandardCharsets.US_ASCII);
    }

    /** In the order of revisions. */
    private static String name(long revision) {
        return "%016x".formatted(revision);
    }

    /** Deletes up to {@code most} schemas for a reset. */
    @Override
    public boolean clear(int most) {
        List<Registered> some = new ArrayList<>();
        SCHEMAS.scan(stored, (name, value) -> some.add(STORED.read(value)) && some.size() < most);
        some.forEach(this::remove);
        if (some.size() == most) return false;
        stored.delete(REGISTRY);
        return true;
    }
}
